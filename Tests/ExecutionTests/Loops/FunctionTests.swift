import Glibc
import Graph
import Testing

@testable import Execution

/// Accuracy of the vectorised functions against the C library in Double, for every instruction set
/// this processor has.
struct FunctionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let function: ElementFunction
    let exact: @Sendable (Double) -> Double
    /// Greatest error in units of the last place of the result.
    let units: Double
    /// Or an absolute error that is let pass.
    let absolute: Double
    var testDescription: String { name }
  }

  static let instructionSets = ["baseline", "avx2", "avx512", "avx512vnni"].filter {
    VectorLoops(named: $0) != nil
  }

  static let cases = [
    Case(name: "exp", function: .exp, exact: { exp($0) }, units: 2, absolute: 0),
    Case(name: "erf", function: .erf, exact: { erf($0) }, units: 7.5, absolute: 0),
    Case(name: "tanh", function: .tanh, exact: { tanh($0) }, units: 2.5, absolute: 0),
    Case(
      name: "sigmoid", function: .sigmoid, exact: { 1 / (1 + exp(-$0)) }, units: 3.5,
      absolute: 2e-38),
    Case(
      name: "relu", function: .relu, exact: { $0 < 0 ? 0 : $0 }, units: 0, absolute: 0),
    Case(name: "sqrt", function: .sqrt, exact: { $0.squareRoot() }, units: 0.5, absolute: 0),
    Case(
      name: "gelu", function: .geluExact, exact: { Reference.gelu(.exact, $0) }, units: 8,
      absolute: 1e-6),
    Case(
      name: "gelu by tanh", function: .geluTanh,
      exact: { Reference.gelu(.tanhApproximation, $0) }, units: 8, absolute: 1e-6),
    Case(
      name: "gelu by sigmoid", function: .geluSigmoid,
      exact: { Reference.gelu(.sigmoidApproximation, $0) }, units: 8, absolute: 1e-6),
  ]

  /// Values of every size: a fine grid over −110...110, powers of two, and the seams of ranges.
  static let values: [Float] =
    stride(from: Float(-110), through: 110, by: 1 / 1024).map { $0 }
    + stride(from: Float(-5), through: 5, by: 1 / 16384).map { $0 }
    + (-149...100).flatMap { [Float(sign: .plus, exponent: $0, significand: 1.37)] }
    + (-149...100).flatMap { [Float(sign: .minus, exponent: $0, significand: 1.37)] }
    + [0.625, Float(0.625).nextDown, 3.92, Float(3.92).nextUp, 88.72283, 88.72284, -87.33655]
    + [-103.97, -104, 0, -0.0]

  @Test(arguments: cases, instructionSets)
  func staysNearDouble(_ test: Case, _ instructionSet: String) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    let found = loops.mapped(test.function, Self.values)
    var worst = (error: 0.0, at: Float(0))
    for (x, y) in zip(Self.values, found) {
      let exact = test.exact(Double(x))
      // What Float itself cannot hold.
      if abs(exact) > Double(Float.greatestFiniteMagnitude) {
        #expect(y.isInfinite || y == .greatestFiniteMagnitude, "at \(x)")
        continue
      }
      if exact.isNaN {
        #expect(y.isNaN, "at \(x)")
        continue
      }
      let error = abs(Double(y) - exact)
      if error <= test.absolute { continue }
      let units = error / Double(max(Float(abs(exact)).ulp, Float.leastNonzeroMagnitude))
      if !(units <= worst.error) { worst = (units, x) }
    }
    #expect(worst.error <= test.units, "at \(worst.at)")
  }

  @Test(arguments: ElementFunction.allCases, instructionSets)
  func keepsNaN(_ function: ElementFunction, _ instructionSet: String) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    for count in [1, 5, 16, 40] {
      let found = loops.mapped(function, Array(repeating: .nan, count: count))
      #expect(!found.contains { !$0.isNaN })
    }
  }

  @Test(arguments: instructionSets)
  func limitsAreExact(_ instructionSet: String) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    let infinities: [Float] = [.infinity, -.infinity, 1e30, -1e30]
    #expect(loops.mapped(.exp, infinities) == [.infinity, 0, .infinity, 0])
    #expect(loops.mapped(.erf, infinities) == [1, -1, 1, -1])
    #expect(loops.mapped(.tanh, infinities) == [1, -1, 1, -1])
    #expect(loops.mapped(.sigmoid, infinities) == [1, 0, 1, 0])
    #expect(loops.mapped(.relu, infinities) == [.infinity, 0, 1e30, 0])
    #expect(loops.mapped(.exp, [0, 1e-30]) == [1, 1])
  }

  @Test(arguments: instructionSets)
  func writesNothingBeyondTheCount(_ instructionSet: String) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    for count in 0...40 {
      var memory = [Float](repeating: 7, count: count + 32)
      memory.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        loops.map(.identity, [Float](repeating: 3, count: count), base, count: count)
      }
      #expect(memory == Array(repeating: 3, count: count) + Array(repeating: 7, count: 32))
    }
  }

  /// What the processor has is tried, so that no set goes untested because it is not found.
  @Test func instructionSetsAreThoseOfTheProcessor() throws {
    var expected = ["baseline"]
    #if arch(x86_64)
      let flags = try Self.processorFlags()
      if flags.isSuperset(of: ["avx2", "fma"]) { expected.append("avx2") }
      if flags.contains("avx512f") { expected.append("avx512") }
      if flags.isSuperset(of: ["avx512f", "avx512bw", "avx512_vnni"]) {
        expected.append("avx512vnni")
      }
    #endif
    #expect(Self.instructionSets == expected)
  }

  #if arch(x86_64)
    /// The words behind `flags` in `/proc/cpuinfo`.
    private static func processorFlags() throws -> Set<Substring> {
      let file = try #require(fopen("/proc/cpuinfo", "r"))
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 1 << 16)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
        if text.hasPrefix("flags") { return Set(text.split { $0 == " " || $0.isNewline }) }
      }
      return []
    }
  #endif

  @Test func unknownInstructionSetIsNil() {
    #expect(VectorLoops(named: "mmx") == nil)
  }
}

extension VectorLoops {
  /// function(x) for each element.
  func mapped(_ function: ElementFunction, _ values: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: values.count) { buffer, count in
      if let base = buffer.baseAddress { map(function, values, base, count: values.count) }
      count = values.count
    }
  }
}
