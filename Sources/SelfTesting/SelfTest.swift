/// A few inputs of a model as it takes them, the outputs that the judged model gave, and how far others may be
/// from them; `specs/formats/self-test.md`.
public struct SelfTest: Equatable, Sendable {
  /// Where the inputs come from.
  public enum Source: String, CaseIterable, Sendable {
    /// The references that the model was judged on.
    case references
    /// Numbers made by a formula, where references are private.
    case synthetic
  }

  /// One run of the model.
  public struct Case: Equatable, Sendable {
    /// Every input of the model.
    public let inputs: [TensorValue]
    /// The output that is compared.
    public let output: TensorValue

    /// A run.
    public init(inputs: [TensorValue], output: TensorValue) {
      (self.inputs, self.output) = (inputs, output)
    }
  }

  /// Where the inputs come from.
  public let source: Source
  /// How far outputs may be from those here.
  public let tolerance: Tolerance
  /// At least one, at most `mostCases`.
  public let cases: [Case]

  /// The most runs of a self-test.
  package static let mostCases = 16

  /// - Parameter cases: at least one, at most `mostCases`.
  package init(_ source: Source, _ tolerance: Tolerance, _ cases: [Case]) {
    precondition((1...Self.mostCases).contains(cases.count), "a self-test has a few cases")
    (self.source, self.tolerance, self.cases) = (source, tolerance, cases)
  }
}

/// What a self-test needs of a model that was loaded.
public protocol SelfTestable {
  /// Runs the model.
  ///
  /// - Returns: the output that `SelfTest.Case.output` names, its numbers in row-major order.
  func output(named name: String, for inputs: [TensorValue]) async throws -> [Float]
}

/// Why a model failed its self-test.
public struct SelfTestFailure: Error, Equatable, CustomStringConvertible, Sendable {
  /// The case, counted from 1.
  public let number: Int
  /// Of the output.
  public let name: String
  /// What is wrong with it.
  public let fault: String

  /// One line.
  public var description: String { "self-test \(number): '\(name)' \(fault)" }
}

extension SelfTest {
  /// Runs every case on a model.
  ///
  /// - Throws: `SelfTestFailure` for the first output that is too far off, and what the model throws.
  public func run(on model: some SelfTestable) async throws {
    for (place, item) in cases.enumerated() {
      var found = try await model.output(named: item.output.name, for: item.inputs)
      let expected = item.output.elements.floats
      // Of two classes Core ML gives both, and a graph may give the second alone.
      if expected.count == 1, found.count == 2 { found.removeFirst() }
      if let fault = tolerance.fault(found, expected: expected) {
        throw SelfTestFailure(number: place + 1, name: item.output.name, fault: fault)
      }
    }
  }
}
