import Files
import StrictJSON

/// The header of a safetensors file, checked against the size of the file.
///
/// A value of this type means: every range lies inside the file, and the ranges cover the data
/// without gap or overlap. The rules are in `specs/formats/weight-files.md`.
struct SafetensorsHeader: Sendable {
  /// One tensor of the file.
  struct Entry: Sendable {
    let name: TensorName
    let elementType: ElementType
    let shape: [Int]
    let elementCount: Int
    /// The range of the values in the file.
    let bytes: Range<Int>
  }

  /// Largest header read, in bytes: a compressed model carries its tokenizer there, which has up to
  /// 33 MB. With the limits below it keeps a hostile file under 500 MB.
  static let byteLimit = 64 << 20
  private static let jsonLimits = JSONParser.Limits(depth: 3, values: 150_000)

  /// In the order written.
  let entries: [Entry]
  let metadata: [String: String]

  /// Whether a file is safetensors by its first nine bytes: the length of a header that fits into
  /// the file, then a brace.
  static func begins(_ start: [UInt8], fileByteCount: Int) -> Bool {
    guard hasBrace(start) else { return false }
    let stated = start[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return stated > 0 && stated <= UInt64(fileByteCount - 8)
  }

  /// Whether the ninth byte of a file is that of a safetensors header.
  static func hasBrace(_ start: [UInt8]) -> Bool {
    start.count > 8 && start[8] == UInt8(ascii: "{")
  }

  /// The JSON text of the header, its length checked.
  static func text(of file: RawSpan, path: String) throws(WeightsError) -> [UInt8] {
    func malformed(_ fault: String) -> WeightsError { .malformed(place: path, fault: fault) }
    guard file.byteCount >= 8 else {
      throw malformed("has \(file.byteCount) bytes, a safetensors file has at least 8")
    }
    let stated = file.littleEndian(at: 0, as: UInt64.self)
    guard stated <= UInt64(file.byteCount - 8) else {
      throw malformed(
        "the header is said to have \(stated) bytes, the file has \(file.byteCount - 8) left for it"
      )
    }
    guard stated <= UInt64(byteLimit) else {
      throw malformed("the header is said to have \(stated) bytes, the limit is \(byteLimit)")
    }
    let text = file.array(in: 8..<8 + Int(stated))
    guard let first = text.first else { throw malformed("the header is empty") }
    guard first == UInt8(ascii: "{") else {
      throw malformed("the header starts with byte \(first), expected '{'")
    }
    return text
  }

  /// Reads and checks a header.
  ///
  /// - Parameter text: the result of `text(of:path:)`.
  init(text: [UInt8], fileByteCount: Int, path: String) throws(WeightsError) {
    let start = 8 + text.count
    do throws(JSONError) {
      let origin = "\(path) (header)"
      let object = try JSONParser.parseObject(
        text, origin: origin, limits: SafetensorsHeader.jsonLimits)
      metadata = try SafetensorsHeader.metadata(of: object)
      entries = try SafetensorsHeader.entries(of: object, dataStart: start)
    } catch {
      throw .json(error)
    }
    try SafetensorsHeader.check(entries, dataStart: start, fileByteCount, path)
  }

  private static func metadata(of header: JSONObject) throws(JSONError) -> [String: String] {
    guard header["__metadata__"] != nil else { return [:] }
    var metadata: [String: String] = [:]
    for member in try header.object("__metadata__").members {
      guard let value = member.value.string else {
        throw header.mismatch(member.key, expected: "a string", member.value)
      }
      // A dictionary of strings takes two Unicode spellings of one text for the same key.
      guard metadata.updateValue(value, forKey: member.key) == nil else {
        throw header.error(
          "the key \(quoted(member.key)) appears twice in two Unicode spellings",
          at: member.value.position)
      }
    }
    return metadata
  }

  private static func entries(
    of header: JSONObject, dataStart: Int
  ) throws(JSONError) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(header.members.count)
    for member in header.members where ExactString(member.key) != ExactString("__metadata__") {
      entries.append(try entry(member.key, member.value, of: header, dataStart: dataStart))
    }
    return entries
  }

  private static func entry(
    _ name: String, _ node: JSONNode, of header: JSONObject, dataStart: Int
  ) throws(JSONError) -> Entry {
    guard let object = node.object else {
      throw header.mismatch(name, expected: "an object", node)
    }
    func fault(_ text: String) -> JSONError {
      object.error("tensor \(quoted(name)) \(text)", at: node.position)
    }
    try object.allowOnly(["dtype", "shape", "data_offsets"])
    let typeName = try object.string("dtype")
    guard let type = ElementType(rawValue: typeName) else {
      throw fault("has the unknown dtype \(quoted(typeName))")
    }
    let shape = try wholeNumbers("shape", of: object)
    guard shape.count <= CheckedSize.highestRank else {
      throw fault("has \(shape.count) dimensions, the limit is \(CheckedSize.highestRank)")
    }
    let offsets = try wholeNumbers("data_offsets", of: object)
    guard offsets.count == 2 else { throw fault("has \(offsets.count) data_offsets, expected 2") }
    guard offsets[0] <= offsets[1] else {
      throw fault("has data_offsets \(offsets), which run backwards")
    }
    let size = try size(of: type, shape, fault)
    guard offsets[1] - offsets[0] == size.bytes else {
      throw fault(
        "has \(offsets[1] - offsets[0]) bytes, \(type.rawValue) \(shape) needs \(size.bytes)")
    }
    guard offsets[1] <= Int.max - dataStart else { throw fault("has data_offsets that overflow") }
    return Entry(
      name: TensorName(name), elementType: type, shape: shape, elementCount: size.elements,
      bytes: dataStart + offsets[0]..<dataStart + offsets[1])
  }

  private static func size(
    of type: ElementType, _ shape: [Int], _ fault: (String) -> JSONError
  ) throws(JSONError) -> (elements: Int, bytes: Int) {
    guard let elements = CheckedSize.elementCount(of: shape),
      let bits = CheckedSize.bitCount(of: elements, type)
    else { throw fault("has the shape \(shape), whose size overflows") }
    guard !CheckedSize.isVastAndEmpty(shape) else {
      throw fault("has the shape \(shape), \(CheckedSize.vastAndEmpty)")
    }
    guard bits % 8 == 0 else {
      throw fault("needs \(bits) bits for \(type.rawValue) \(shape), not a whole number of bytes")
    }
    return (elements, bits / 8)
  }

  /// Non-negative integers written as plain digits.
  private static func wholeNumbers(
    _ key: String, of object: JSONObject
  ) throws(JSONError) -> [Int] {
    var numbers: [Int] = []
    for node in try object.array(key) {
      guard case .number(let digits) = node.content, digits.utf8.first != UInt8(ascii: "-"),
        let number = Int(digits)
      else {
        throw object.error(
          "'\(key)' holds \(node.kind), expected whole numbers from 0", at: node.position)
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The tensors must cover the data exactly.
  private static func check(
    _ entries: [Entry], dataStart: Int, _ fileByteCount: Int, _ path: String
  ) throws(WeightsError) {
    let ordered = entries.indices.sorted {
      let (left, right) = (entries[$0].bytes, entries[$1].bytes)
      return (left.lowerBound, left.upperBound) < (right.lowerBound, right.upperBound)
    }
    var end = dataStart
    for entry in ordered.lazy.map({ entries[$0] }) {
      guard entry.bytes.lowerBound == end else {
        let relation = entry.bytes.lowerBound < end ? "overlaps" : "leaves a gap after"
        throw .tensor(
          name: entry.name, place: path,
          fault: "starts at byte \(entry.bytes.lowerBound - dataStart) of the data and \(relation)"
            + " the tensor before it, which ends at \(end - dataStart)")
      }
      end = entry.bytes.upperBound
    }
    guard end == fileByteCount else {
      throw .malformed(
        place: path,
        fault: "the tensors take \(end - dataStart) bytes, the file holds"
          + " \(fileByteCount - dataStart) bytes of data")
    }
  }
}

extension SafetensorsHeader {
  /// Reads and checks the header of a file.
  init(_ file: MappedFile) throws(WeightsError) {
    let text = try file.withBytes { bytes throws(WeightsError) in
      try SafetensorsHeader.text(of: bytes, path: file.path)
    }
    file.letGo(of: 0..<file.byteCount)
    try self.init(text: text, fileByteCount: file.byteCount, path: file.path)
  }

  /// The tensors of the file this header was read from.
  func tensors(in file: MappedFile) -> [Tensor] {
    entries.map { entry in
      Tensor(
        name: entry.name, elementType: entry.elementType, shape: entry.shape,
        elementCount: entry.elementCount, place: file.path, layout: Tensor.Layout(),
        storage: .mapped(file, entry.bytes))
    }
  }
}
