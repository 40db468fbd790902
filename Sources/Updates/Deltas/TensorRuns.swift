import Files
import StrictJSON

/// Where the tensors of a file are, as far as that helps to compare it with another one.
///
/// Only the choice of what is compared depends on it: a delta makes the new file whatever is found here. So
/// a file that is neither is one run.
struct TensorRuns {
  /// Some bytes of a file that have a name.
  struct Run {
    /// What the same tensor has in the other file.
    let name: String
    let bytes: Range<Int>
  }

  /// In the order of their bytes.
  let runs: [Run]

  init(of file: MappedFile) {
    runs = Self.safetensors(file) ?? Self.blobs(file) ?? []
  }

  // MARK: safetensors

  private static let headerLimit = 64 << 20

  /// The tensors of a safetensors file; nil for any other.
  private static func safetensors(_ file: MappedFile) -> [Run]? {
    guard file.byteCount > 8 else { return nil }
    let length = number(file.start(8))
    guard length > 1, length <= min(file.byteCount - 8, headerLimit) else { return nil }
    let text = Array(file.start(8 + length).dropFirst(8))
    guard let header = try? JSONParser.parseObject(text, origin: file.path) else { return nil }
    var runs: [Run] = []
    for (name, node) in header.members where name != "__metadata__" {
      guard let offsets = try? node.object?.array("data_offsets").compactMap(\.integer),
        offsets.count == 2, 0 <= offsets[0], offsets[0] <= offsets[1],
        offsets[1] <= file.byteCount - 8 - length
      else { return nil }
      runs.append(Run(name: name, bytes: 8 + length + offsets[0]..<8 + length + offsets[1]))
    }
    return runs.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  // MARK: Weights of a Core ML package

  private static let alignment = 64
  private static let sentinel = 0xDEAD_BEEF

  /// The records of a file of Core ML's weights, each with the place of its kind in the file as its name; nil
  /// for any other file.
  ///
  /// Source: `MILBlob/Blob/StorageFormat.hpp` of coremltools.
  private static func blobs(_ file: MappedFile) -> [Run]? {
    guard file.byteCount >= 2 * alignment else { return nil }
    let count = number(Array(file.start(4)))
    var runs: [Run] = []
    var place = alignment
    while runs.count < count, place + alignment <= file.byteCount {
      let record = file.withBytes(in: place..<place + 24) { bytes in
        (0..<24).map { bytes.byte(at: $0) }
      }
      let (size, start) = (number(record[8..<16]), number(record[16..<24]))
      guard number(record[0..<4]) == sentinel, start >= place + alignment, size >= 0,
        start <= file.byteCount, size <= file.byteCount - start
      else { return nil }
      runs.append(Run(name: "\(runs.count)", bytes: start..<start + size))
      place = (start + size + alignment - 1) / alignment * alignment
    }
    return runs.isEmpty || runs.count < count ? nil : runs
  }

  /// The number that some bytes make, the least first; -1 where it is too large.
  private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? -1
  }
}

extension RawSpan {
  fileprivate func byte(at place: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }
}
