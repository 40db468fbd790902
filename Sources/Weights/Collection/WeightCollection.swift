import Files

/// All tensors found at one path, in any format.
///
/// Opening a collection checks everything the files state about themselves.
package struct WeightCollection: Sendable {
  /// The path the user gave.
  package let origin: String
  /// `safetensors`, `sharded safetensors`, `npy`, `npz` or `folder of npy`.
  package let format: String
  /// Sorted by the UTF-8 bytes of the name; each name once.
  package let tensors: [Tensor]
  /// `__metadata__` of a safetensors file; of several shards, that of the first by name.
  package let metadata: [String: String]
  /// Paths of the files read.
  package var files: [String] { sources.map(\.path) }

  let sources: [MappedFile]
  private let indexOfName: [TensorName: Int]

  /// - Parameter tensors: in any order; names must differ.
  init(
    origin: String, format: String, tensors: [Tensor], metadata: [String: String] = [:],
    sources: [MappedFile]
  ) {
    self.origin = origin
    self.format = format
    self.tensors = tensors.sorted { $0.name < $1.name }
    self.metadata = metadata
    self.sources = sources
    var indexOfName: [TensorName: Int] = [:]
    for (index, tensor) in self.tensors.enumerated() {
      let previous = indexOfName.updateValue(index, forKey: tensor.name)
      precondition(previous == nil, "two tensors of one name")
    }
    self.indexOfName = indexOfName
  }

  /// The tensor of a name.
  package subscript(name: TensorName) -> Tensor? {
    indexOfName[name].map { tensors[$0] }
  }

  /// Whether the bytes are those of the same opened files, and so the digests the same.
  package func isSame(as other: WeightCollection) -> Bool {
    sources.count == other.sources.count && zip(sources, other.sources).allSatisfy { $0 === $1 }
  }

  /// The SHA-256 of the content.
  ///
  /// For a single file that of its bytes; for several, `ContentDigest.combining` of the files by
  /// their paths in the folder, the index of a sharded model included.
  package func digest() -> ContentDigest {
    if sources.count == 1 { return ContentDigest(of: sources[0]) }
    return .combining(
      sources.map { (name: name(of: $0), digest: ContentDigest(of: $0)) })
  }

  /// The path of a file, seen from the folder.
  private func name(of file: MappedFile) -> String {
    let isHere = origin.isEmpty || origin == "."
    let start = isHere ? "" : origin.utf8.last == UInt8(ascii: "/") ? origin : origin + "/"
    guard sources.count > 1, file.path.utf8.starts(with: start.utf8) else {
      return Folder.name(of: file.path)
    }
    return String(decoding: file.path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
  }
}
