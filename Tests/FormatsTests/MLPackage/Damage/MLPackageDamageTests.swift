import Files
import Glibc
import Graph
import TestSupport
import Testing
import WeightCompression

@testable import Formats

/// Damaged packages, each made from a sound one, and what is said of them.
struct MLPackageDamageTests {
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  /// The sound package that is damaged.
  enum Sample: Sendable {
    /// The embedding of three features; its weight `w` [4, 3] stored by a scheme.
    case embedding(Scheme?)
    /// Scores of three labels.
    case classifier
    /// BERT of one length.
    case bert
    /// BERT of the lengths 3 and 7.
    case lengths

    func write(to path: String) throws {
      switch self {
      case .embedding(let scheme): try SmallModels.embedding().write(scheme, to: path)
      case .classifier: try SmallModels.classifier().write(to: path)
      case .bert: try SmallModels.bert().write(to: path)
      case .lengths:
        try SmallModels.bert().write(nil, CoreMLOptions(sequenceLengths: [3, 7]), to: path)
      }
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let sample: Sample
    let damage: @Sendable (inout MLPackageParts) throws -> Void
    /// With P for the package's path.
    let fault: String
    var testDescription: String { name }

    init(
      _ name: String, _ fault: String,
      _ damage: @escaping @Sendable (inout MLPackageParts) throws -> Void
    ) {
      self.init(name, .embedding(nil), fault, damage)
    }

    init(
      _ name: String, _ sample: Sample, _ fault: String,
      _ damage: @escaping @Sendable (inout MLPackageParts) throws -> Void
    ) {
      self.name = name
      self.sample = sample
      self.damage = damage
      self.fault = fault
    }
  }

  static let program = "P: the program cannot be run: "
  static let unsound = "P: is not a sound Core ML package: "
  static let blob =
    "P/Data/com.apple.CoreML/weights/weight.bin: is not a sound Core ML package: "

  static let cases = files + wholes + operations + constants + compressed + interface

  @Test(arguments: cases) func isRefused(_ test: Case) throws {
    try test.sample.write(to: path)
    var parts = try MLPackageParts(of: path)
    try test.damage(&parts)
    try parts.write(to: path)
    let text = message { _ = try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles) }
    #expect(text?.replacing(path, with: "P") == test.fault)
  }

  /// The packages that the damage starts from can be read.
  @Test(arguments: [
    Sample.embedding(nil), oldPalette, newPalette, integers, .classifier, .bert, .lengths,
  ])
  func theSamplesAreSound(_ sample: Sample) throws {
    try sample.write(to: path)
    let parts = try MLPackageParts(of: path)
    try parts.write(to: path)
    #expect(
      message { _ = try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles) } == nil)
  }

  /// Lists of integers that are joined with themselves would double forever.
  @Test func joiningHasAnEnd() throws {
    try Sample.embedding(nil).write(to: path)
    var parts = try MLPackageParts(of: path)
    var list = "seed"
    var operations = [
      MILOperation(
        "const", attributes: [("val", .ints([1, 2]))], outputs: [("seed", .tensor(.int32, [2]))])
    ]
    for round in 1...60 {
      operations.append(
        MILOperation(
          "concat", inputs: [("values", .names([list, list]))],
          outputs: [("list\(round)", .tensor(.int32, [2]))]))
      list = "list\(round)"
    }
    parts.block.operations = operations + parts.block.operations
    try parts.write(to: path)
    let text = message { _ = try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles) }
    #expect(
      text?.replacing(path, with: "P") == Self.program
        + "concat 'list16': joins 131072 integers, at most 65536 are read")
  }

  /// Constants inside constants, deeper than any writer makes them.
  @Test func depthHasAnEnd() throws {
    try Sample.embedding(nil).write(to: path)
    var parts = try MLPackageParts(of: path)
    // A value within a list within a value …, each two messages deep.
    var value = MILValue.list([])
    for _ in 0..<200 {
      var outer = MILValue.list([])
      outer.immediateValue.list.values = [value]
      value = outer
    }
    parts["w"].attributes["val"] = value
    #expect(message { _ = try parts.message.deterministicBytes() } == nil)
    try parts.write(to: path)
    let text = message { _ = try CoreMLPackage.model(of: path, files: MLPackageParts.noFiles) }
    #expect(
      text?.replacing(path, with: "P") == Self.unsound
        + "'Data/com.apple.CoreML/model.mlmodel' is no model message: messageDepthLimit")
  }
}
