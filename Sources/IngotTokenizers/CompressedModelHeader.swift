import StrictJSON
import Tokenization

/// The files that a compressed model in one safetensors file carries in its header: its tokenizer
/// among them.
///
/// An app reads the first 8 bytes, and then as many as these say; no tensor is read.
public enum CompressedModelHeader {
  /// Largest header that is read, in bytes.
  static let byteLimit = 64 << 20
  /// Values of the header, and of the files in it.
  private static let limits = JSONParser.Limits(depth: 3, values: 150_000)

  /// Bytes of the header, the first 8 included.
  ///
  /// - Parameter start: the first bytes of the file, at least 8.
  /// - Throws: `InputError.header` for another kind of file.
  public static func byteCount(_ start: [UInt8]) throws(InputError) -> Int {
    guard start.count >= 8 else {
      throw .header("the file has \(start.count) bytes, a safetensors file has at least 8")
    }
    let stated = start[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard stated > 1, stated <= UInt64(byteLimit) else {
      throw .header("the file's header is said to have \(stated) bytes, the limit is \(byteLimit)")
    }
    return 8 + Int(stated)
  }

  /// The files that describe the model, by their paths.
  ///
  /// - Parameter header: the first bytes of the file, at least `byteCount`.
  /// - Throws: `InputError.header` for a header that is cut, or not of a compressed model.
  public static func files(in header: [UInt8]) throws(InputError) -> [String: [UInt8]] {
    let count = try byteCount(header)
    guard header.count >= count else {
      throw .header("the file's header has \(count) bytes, \(header.count) were handed over")
    }
    do throws(JSONError) {
      let root = try JSONParser.parseObject(
        Array(header[8..<count]), origin: "header", limits: limits)
      let text = try root.object("__metadata__").string("ingot.files")
      let files = try JSONParser.parseObject(
        Array(text.utf8), origin: "metadata 'ingot.files'", limits: limits)
      var contents: [String: [UInt8]] = [:]
      for member in files.members {
        let bytes = try CarriedFile.bytes(of: member.key, in: files)
        guard contents.updateValue(bytes, forKey: member.key) == nil else {
          throw files.error(
            "\(quoted(member.key)) and another path differ in their Unicode form only",
            at: member.value.position)
        }
      }
      return contents
    } catch {
      throw .header(error.description)
    }
  }
}
