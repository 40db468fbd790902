import CDNNL

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

  /// output [rows, columns] = left [rows, inner] · right [inner, columns].
  package static func multiply(
    _ left: Factor, _ right: Factor, into output: UnsafeMutablePointer<Float>, rows: Int,
    columns: Int, inner: Int
  ) throws(KernelFault) {
    guard rows > 0, columns > 0 else { return }
    guard inner > 0 else { return unsafe output.update(repeating: 0, count: rows * columns) }
    let status = unsafe dnnl_sgemm(
      left.code, right.code, dnnl_dim_t(rows), dnnl_dim_t(columns), dnnl_dim_t(inner), 1, left.base,
      dnnl_dim_t(left.rowStride), right.base, dnnl_dim_t(right.rowStride), 0, output,
      dnnl_dim_t(columns))
    guard status == dnnl_success else { throw .matrixProduct(status: Int32(status.rawValue)) }
  }
}
