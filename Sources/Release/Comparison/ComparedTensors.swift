import Files
import Formats
import Graph
import StrictJSON
import Weights

/// The tensors of a model file or package, as they are stored.
struct ComparedTensors {
  private struct Entry {
    let name: TensorName
    /// How it is stored, and its shape.
    let words: String
    let bytes: any TensorBytes
  }

  /// Sorted by the bytes of their names.
  private let entries: [Entry]

  /// Opens a folder of some format, or anything else that holds weights; of a trained model's folder
  /// those of all modules.
  init(_ path: String) throws {
    if let folder = ModelFormat.meant(by: path)?.folder {
      self.init(try folder.inspect(path, ModelFiles(carriedBy: path, texts: [:])))
    } else {
      self.init(try ModelLoader.weights(of: path))
    }
  }

  init(_ weights: WeightCollection) {
    entries = weights.tensors.map {
      Entry(name: $0.name, words: "\($0.elementType.rawValue) \($0.shape)", bytes: $0)
    }
  }

  init(_ folder: FolderInspection) {
    entries = folder.constants.map { constant in
      Entry(
        name: constant.name, words: "\(constant.storage) \(constant.shape)",
        bytes: Constant(name: constant.name, weights: folder.model.weights))
    }.sorted { $0.name < $1.name }
  }

  /// The first tensor that differs, and of how many; nothing if all are the same.
  ///
  /// - Parameter progress: told each tensor.
  func difference(
    to other: ComparedTensors, model: String? = nil, progress: (ComparisonStep) -> Void
  ) throws -> [Cause] {
    let lefts = Dictionary(entries.map { ($0.name, $0) }) { first, _ in first }
    let rights = Dictionary(other.entries.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(lefts.keys).union(rights.keys).sorted()
    var first: Cause?
    var count = 0
    for (place, name) in names.enumerated() {
      defer { progress(.comparingTensors(place + 1, of: names.count)) }
      guard let cause = try ComparedTensors.compare(name, lefts[name], rights[name]) else {
        continue
      }
      count += 1
      if first == nil { first = cause }
    }
    guard var cause = first else { return [] }
    cause.model = model
    cause.note =
      "\(count) of \(Figures.count(names.count, "tensor")) \(count == 1 ? "differs" : "differ")"
    return [cause]
  }

  private static func compare(_ name: TensorName, _ left: Entry?, _ right: Entry?) throws -> Cause?
  {
    guard let left, let right, left.words == right.words else {
      return Cause(
        kind: .tensor, item: name.text, left: left?.words ?? Causes.nothing,
        right: right?.words ?? Causes.nothing)
    }
    guard let found = try left.bytes.difference(to: right.bytes) else { return nil }
    return Cause(
      kind: .tensor, item: name.text,
      left: "\(left.words), \(found.left) at element \(found.element)",
      right: found.right)
  }
}

/// The bytes by which a tensor's values are compared.
private protocol TensorBytes {
  /// Number of the first element, in the order stored, that is another, and both values; nil if
  /// there is none. The other is stored in the same way, in the same shape.
  func difference(
    to other: any TensorBytes
  ) throws -> (element: Int, left: String, right: String)?
}

extension Tensor: TensorBytes {
  fileprivate func difference(
    to other: any TensorBytes
  ) throws -> (element: Int, left: String, right: String)? {
    guard let other = other as? Tensor else { return nil }
    guard let offset = try firstDifference(from: other) else { return nil }
    let element = offset * 8 / elementType.bitWidth
    guard isPlain, other.isPlain, elementType.isConvertible, element < elementCount else {
      return (element, "bytes", "other bytes")
    }
    let range = element..<element + 1
    return (element, "\(try floats(in: range)[0])", "\(try other.floats(in: range)[0])")
  }
}

/// A constant of a model that is a folder; its values, once decompressed, are compared by their bits.
private struct Constant: TensorBytes {
  let name: TensorName
  let weights: any WeightFile

  func difference(
    to other: any TensorBytes
  ) throws -> (element: Int, left: String, right: String)? {
    guard let other = other as? Constant else { return nil }
    let (left, right) = (
      try weights.floats(of: name), try other.weights.floats(of: other.name)
    )
    let element = zip(left, right).enumerated()
      .first { $0.element.0.bitPattern != $0.element.1.bitPattern }?.offset
    return element.map { ($0, "\(left[$0])", "\(right[$0])") }
  }
}
