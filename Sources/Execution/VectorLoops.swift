import CDNNL
import CKernels

/// A function of single floats.
enum ElementFunction: CaseIterable, Sendable {
  case identity, relu, sigmoid, tanh, geluExact, geluTanh, geluSigmoid, exp, erf, sqrt, silu
  case hardSigmoid, hardSwish, relu6

  var code: ingot_function {
    switch self {
    case .identity: INGOT_IDENTITY
    case .relu: INGOT_RELU
    case .sigmoid: INGOT_SIGMOID
    case .tanh: INGOT_TANH
    case .geluExact: INGOT_GELU_EXACT
    case .geluTanh: INGOT_GELU_TANH
    case .geluSigmoid: INGOT_GELU_SIGMOID
    case .exp: INGOT_EXP
    case .erf: INGOT_ERF
    case .sqrt: INGOT_SQRT
    case .silu: INGOT_SILU
    case .hardSigmoid: INGOT_HARD_SIGMOID
    case .hardSwish: INGOT_HARD_SWISH
    case .relu6: INGOT_RELU6
    }
  }
}

/// The vectorised loops for one instruction set; the only user of `CKernels`.
@safe struct VectorLoops: @unchecked Sendable {
  // A constant table of functions.
  private let table: UnsafePointer<ingot_kernels>

  /// The fastest this processor runs.
  static let best = unsafe VectorLoops(table: ingot_kernels_best())
  /// Those of no instruction set in particular.
  static let portable = VectorLoops(named: "baseline") ?? best

  private init(table: UnsafePointer<ingot_kernels>) { unsafe self.table = table }

  /// The loops of an instruction set (`baseline`, `avx2`, `avx512`), nil if it cannot run here.
  init?(named name: String) {
    guard let table = unsafe ingot_kernels_named(name) else { return nil }
    unsafe self.table = table
  }

  /// y[i] = function(x[i]); both may be the same.
  func map(
    _ function: ElementFunction, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    unsafe table.pointee.map(function.code, x, y, count)
  }

  /// x[r, i] = function(x[r, i] + bias[i]), in place.
  func map(
    _ function: ElementFunction, _ x: UnsafeMutablePointer<Float>,
    addingBias bias: UnsafePointer<Float>?, rows: Int, width: Int
  ) {
    unsafe table.pointee.bias_map(function.code, x, bias, rows, width)
  }

  /// y = layer_norm(x + bias + residual) row by row; x and residual may be y.
  func norm(
    _ x: UnsafePointer<Float>, bias: UnsafePointer<Float>?, residual: UnsafePointer<Float>?,
    gamma: UnsafePointer<Float>, beta: UnsafePointer<Float>, epsilon: Float,
    into y: UnsafeMutablePointer<Float>, rows: Int, width: Int
  ) {
    unsafe table.pointee.norm(x, bias, residual, gamma, beta, epsilon, y, rows, width)
  }

  /// y = x / √(share · Σx² + ε) · gain row by row; x may be y.
  func rmsNorm(
    _ x: UnsafePointer<Float>, gain: UnsafePointer<Float>, share: Float, epsilon: Float,
    into y: UnsafeMutablePointer<Float>, rows: Int, width: Int
  ) {
    unsafe table.pointee.rms_norm(x, gain, share, epsilon, y, rows, width)
  }

  /// Softmax of each row; x may be y.
  func softmax(
    _ x: UnsafePointer<Float>, into y: UnsafeMutablePointer<Float>, rows: Int, width: Int
  ) {
    unsafe table.pointee.softmax(x, y, rows, width)
  }

  /// One head of attention.
  func attention(_ head: borrowing ingot_attention) {
    unsafe withUnsafePointer(to: head) { unsafe table.pointee.attention($0) }
  }

  /// x[c, i] = function(x[c, i] · scale[c] + shift[c]), in place; channels are `stride` apart.
  func map(
    _ function: ElementFunction, channels x: UnsafeMutablePointer<Float>,
    scale: UnsafePointer<Float>, shift: UnsafePointer<Float>, count: Int, width: Int, stride: Int
  ) {
    unsafe table.pointee.channel_map(function.code, x, scale, shift, count, width, stride)
  }

  /// Depthwise convolution of one image.
  func depthwise(_ planes: borrowing ingot_depthwise) {
    unsafe withUnsafePointer(to: planes) { unsafe table.pointee.depthwise($0) }
  }

  /// products [16 rowPanels, 16 columnPanels] = rows · columnsᵀ, of 16-bit integers.
  ///
  /// - Parameters:
  ///   - rows: panels [pairs, 16], each element two integers of one row; `columns` too.
  ///   - pairs: half the integers of a row.
  func integerProducts(
    _ rows: UnsafePointer<Int32>, _ columns: UnsafePointer<Int32>,
    into products: UnsafeMutablePointer<Int32>, rowPanels: Int, columnPanels: Int, pairs: Int
  ) {
    unsafe table.pointee.integer_products(
      rows, columns, products, rowPanels, columnPanels, pairs)
  }

  /// Whether products of 8-bit integers are faster than those of 16-bit ones.
  var hasByteProducts: Bool { unsafe table.pointee.byte_products != nil }

  /// products [16 rowPanels, 16 columnPanels] = rows · columnsᵀ, each times the scales of its row and
  /// its column; of 8-bit integers from −127 to 127, where `hasByteProducts`.
  ///
  /// - Parameters:
  ///   - rows: panels [quads, 16], each element four integers of one row; `columns` too.
  ///   - quads: a quarter of the integers of a row, which are at most 2¹⁶.
  func byteProducts(
    _ rows: UnsafePointer<Int32>, _ columns: UnsafePointer<Int32>,
    scales: UnsafePointer<Float>, _ columnScales: UnsafePointer<Float>,
    into products: UnsafeMutablePointer<Int32>, rowPanels: Int, columnPanels: Int, quads: Int
  ) {
    unsafe table.pointee.byte_products?(
      rows, columns, scales, columnScales, products, rowPanels, columnPanels, quads)
  }

  /// Σ row · other, of 16-bit integers.
  func integerProduct(_ row: UnsafePointer<Int16>, _ other: UnsafePointer<Int16>, count: Int)
    -> Int32
  {
    unsafe table.pointee.integer_product(row, other, count)
  }

  /// Writes the places of values above a floor, or above a floor of their own, and returns how many.
  func largePlaces(
    _ values: UnsafePointer<Int32>, above floor: Int32, or floors: UnsafePointer<Int32>,
    count: Int, into places: UnsafeMutablePointer<Int32>
  ) -> Int {
    unsafe table.pointee.large_places(values, floors, floor, count, places)
  }

  /// For each run sums [runs, 32] = Σ factors[k] · strip[order[k]] over its places k, in order.
  ///
  /// - Parameter starts: where each run begins, and where all end.
  func stripSums(
    _ strip: UnsafePointer<Float>, _ order: UnsafePointer<Int32>, _ factors: UnsafePointer<Float>,
    starts: UnsafePointer<Int32>, count: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    unsafe table.pointee.strip_sums(strip, order, factors, starts, count, sums)
  }

  /// y += factor · x.
  func add(
    _ factor: Float, times x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe table.pointee.add_scaled(factor, x, y, count)
  }

  /// Floats of scratch memory one head of attention needs.
  static func attentionScratch(keys: Int, width: Int) -> Int {
    ingot_attention_scratch(keys, width)
  }

  /// Most columns of a window of depthwise convolution.
  static let depthwiseColumns = Int(INGOT_DEPTHWISE_COLUMNS)

  /// Floats of scratch memory a depthwise convolution needs.
  static func depthwiseScratch(_ planes: borrowing ingot_depthwise) -> Int {
    unsafe withUnsafePointer(to: planes) { unsafe ingot_depthwise_scratch($0) }
  }

  /// Sets how many threads matrix products called from this thread use.
  static func setMatrixThreads(_ count: Int) {
    ingot_set_openmp_threads(Int32(clamping: count))
  }
}

/// Row-major matrix product on oneDNN; the only user of `CDNNL`.
package enum MatrixProduct {
  /// The version of oneDNN as found at run time.
  package static var libraryVersion: String {
    guard let version = unsafe dnnl_version() else { return "unknown" }
    return unsafe "\(version.pointee.major).\(version.pointee.minor).\(version.pointee.patch)"
  }

  /// Sets how many threads products called from this thread use.
  package static func useThreads(_ count: Int) { VectorLoops.setMatrixThreads(count) }

  /// A factor: its numbers, floats from one row to the next as stored, and whether it is
  /// transposed before use.
  @safe package struct Factor {
    let base: UnsafePointer<Float>
    let rowStride: Int
    let isTransposed: Bool

    package init(_ base: UnsafePointer<Float>, rowStride: Int, isTransposed: Bool = false) {
      unsafe self.base = base
      self.rowStride = rowStride
      self.isTransposed = isTransposed
    }

    fileprivate var code: CChar { isTransposed ? 84 : 78 }  // 'T' or 'N'
  }

  /// Floats from one row of a right factor to the next, of `columns` each, as the product reads it fastest.
  ///
  /// Rows whole cache lines of a large power of two apart share few places of the cache and of its table
  /// of pages, and a product over few rows reads the factor where it lies.
  package static func rowStride(columns: Int) -> Int {
    columns.isMultiple(of: 128) ? columns + 16 : columns
  }

  /// output [rows, columns] = left [rows, inner] · right [inner, columns].
  ///
  /// - Parameters:
  ///   - outputStride: floats from one row of the output to the next; nil where rows adjoin.
  ///   - isAdded: whether the product is added to what the output holds.
  package static func multiply(
    _ left: Factor, _ right: Factor, into output: UnsafeMutablePointer<Float>, rows: Int,
    columns: Int, inner: Int, outputStride: Int? = nil, isAdded: Bool = false
  ) throws(KernelFault) {
    guard rows > 0, columns > 0 else { return }
    guard inner > 0 else {
      if !isAdded { unsafe output.update(repeating: 0, count: rows * columns) }
      return
    }
    let status = unsafe dnnl_sgemm(
      left.code, right.code, dnnl_dim_t(rows), dnnl_dim_t(columns), dnnl_dim_t(inner), 1, left.base,
      dnnl_dim_t(left.rowStride), right.base, dnnl_dim_t(right.rowStride), isAdded ? 1 : 0, output,
      dnnl_dim_t(outputStride ?? columns))
    guard status == dnnl_success else { throw .matrixProduct(status: Int32(status.rawValue)) }
  }
}

/// Facts about the code paths that models run on.
package enum ExecutionFacts {
  /// The instruction set of our own loops on this processor: `avx512vnni`, `avx512`, `avx2` or
  /// `baseline`.
  package static var instructionSet: String {
    ["avx512vnni", "avx512", "avx2"].first { VectorLoops(named: $0) != nil } ?? "baseline"
  }
}
