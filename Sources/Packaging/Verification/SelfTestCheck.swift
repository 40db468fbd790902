package import Gate
import Graph
package import SelfTesting
import StrictJSON

/// Compares a self-test of an archive with what the manifest says of its model.
struct SelfTestCheck {
  private let model: ModelEntry
  private let path: String

  /// - Parameter model: one that names a self-test.
  init(_ model: ModelEntry) {
    self.model = model
    path = model.selfTest?.string ?? ""
  }

  /// - Throws: `ArchiveFault.badSelfTest` for one that is too large to be one.
  static func isSmall(_ entry: FileEntry) throws(ArchiveFault) -> Bool {
    guard entry.size <= SelfTest.byteLimit else {
      throw .badSelfTest(
        path: entry.path.string,
        reason: "has \(entry.size) bytes, the limit is \(SelfTest.byteLimit)")
    }
    return true
  }

  /// Checks that it has the inputs and the output of the model, and lets no more pass than the gate did.
  func check(_ bytes: [UInt8]) throws(ArchiveFault) {
    let test: SelfTest
    do throws(JSONError) {
      test = try SelfTest(bytes, origin: path)
    } catch {
      throw .badSelfTest(path: path, reason: "\(error)")
    }
    for item in test.cases {
      let (found, expected) = (item.inputs.map(\.name), model.inputs.map(\.name))
      guard found == expected else {
        throw fault("has the inputs \(Figures.list(found)), the model \(Figures.list(expected))")
      }
      for (input, description) in zip(item.inputs, model.inputs) {
        try check(input, description)
      }
      guard let output = model.outputs.last, item.output.name == output.name else {
        throw fault(
          "has the output '\(item.output.name.prefix(60))', the model "
            + "'\(model.outputs.last?.name ?? "")'")
      }
      try check(output: item.output, output)
    }
    try check(test.tolerance)
  }

  /// - Throws: for an input of another shape or type than the model's.
  private func check(
    _ input: TensorValue, _ description: TensorDescription
  ) throws(ArchiveFault) {
    guard input.isOne(of: description.shape) else {
      throw fault(
        "has '\(input.name)' in the shape \(input.shape), the manifest says \(description.shape)")
    }
    // A picture of whole levels takes a byte for each, whatever the model takes.
    let isPicture = input.shape.count == 4
    let types =
      (["int32", "float64"].contains(description.dtype) ? [description.dtype] : ["float32"])
      + (isPicture ? ["uint8"] : [])
    guard types.contains(input.elements.typeName) else {
      throw fault(
        "has '\(input.name)' as \(input.elements.typeName), the manifest says \(description.dtype)")
    }
  }

  /// - Throws: for an output of another shape than the model's, or of another type.
  private func check(
    output: TensorValue, _ description: TensorDescription
  ) throws(ArchiveFault) {
    // Of two classes a model may give the second alone.
    let second =
      description.labels.count == 2 ? Array(description.shape.dropLast()) + [1] : description.shape
    guard output.isOne(of: description.shape) || output.isOne(of: second) else {
      throw fault(
        "has '\(output.name)' in the shape \(output.shape), the manifest says \(description.shape)")
    }
    guard case .float32 = output.elements else {
      throw fault("has '\(output.name)' as \(output.elements.typeName), outputs are float32")
    }
  }

  /// - Throws: for a tolerance that is wider than the limits that the model kept.
  private func check(_ tolerance: Tolerance) throws(ArchiveFault) {
    guard let limits = model.gate.limits else { return }
    let hasLabels = model.outputs.last.map { $0.labels.count > 0 } ?? false
    let allowed = Tolerance(of: limits, isEmbedding: tolerance.isOfEmbedding && !hasLabels)
    guard tolerance == allowed else {
      throw fault("has the tolerance \(tolerance.words), the limits say \(allowed.words)")
    }
  }

  private func fault(_ reason: String) -> ArchiveFault { .badSelfTest(path: path, reason: reason) }
}

extension TensorValue {
  /// Whether it is for one input at a time of a model with such a shape; -1 is any length there, and one
  /// input in front.
  fileprivate func isOne(of described: [Int]) -> Bool {
    guard shape.count == described.count, let first = shape.first, let batch = described.first
    else {
      return false
    }
    return first == max(1, batch)
      && zip(shape, described).dropFirst().allSatisfy { $0 == $1 || $1 == -1 }
  }
}

extension Tolerance {
  /// The least that a device may be off: its arithmetic is not that of the machine that judged, and half precision
  /// on a phone has 11 bits.
  private static let least = (cosine: 0.999, difference: 0.005)

  /// How far a device may be from the judged model: as far as that one from the one as trained.
  package init(of limits: Limits, isEmbedding: Bool) {
    self =
      isEmbedding
      ? .cosine(min(limits[.cosineMin], Self.least.cosine))
      : .difference(max(limits[.similarityDriftMax], Self.least.difference))
  }

  fileprivate var isOfEmbedding: Bool { if case .cosine = self { true } else { false } }

  fileprivate var words: String {
    switch self {
    case .cosine(let limit): "cosine \(Figures.plain(limit))"
    case .difference(let limit): "difference \(Figures.plain(limit))"
    }
  }
}
