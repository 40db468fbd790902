import Files
import StrictJSON
import TestSupport
import Testing

@testable import Weights

/// Texts of JSON, and every format of weights.
extension FuzzTests {
  @Test func json() {
    run("json", Seeds.json) { bytes in
      do throws(JSONError) {
        let node = try JSONParser.parse(bytes, origin: "f")
        return node.position.line >= 1
      } catch {
        return isSound(error.position, in: bytes) ? nil : false
      }
    }
  }

  @Test func safetensors() {
    run("safetensors", Seeds.safetensors, mend: withHeaderLength) { bytes in
      do throws(WeightsError) {
        let text = try SafetensorsHeader.text(of: bytes.span.bytes, path: "m")
        let header = try SafetensorsHeader(text: text, fileByteCount: bytes.count, path: "m")
        return cover(header.entries, from: 8 + text.count, to: bytes.count)
      } catch {
        return error.description.isEmpty ? false : nil
      }
    }
  }

  @Test func index() {
    run("index", Seeds.index) { bytes in
      do throws(WeightsError) {
        let index = try SafetensorsIndex(text: bytes, path: "m")
        return index.shards.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) }
      } catch {
        return error.description.isEmpty ? false : nil
      }
    }
  }

  @Test func npy() {
    run("npy", Seeds.npy) { bytes in
      do throws(WeightsError) {
        let header = try NpyHeader(
          prefix: bytes.span.bytes, byteCount: bytes.count, place: "m")
        return isSound(header, in: bytes.span.bytes)
      } catch {
        return error.description.isEmpty ? false : nil
      }
    }
  }

  @Test func npz() {
    run("npz", Seeds.npz, check(npz:))
  }

  /// Mutated arrays in sound archives, stored and deflated.
  @Test func npzMembers() {
    run("npz members", Seeds.npy, mend: { Seeds.archive($0) }) { bytes in
      // Inputs that were not repaired are packed here, so that all inputs are archives.
      let isArchive = bytes.starts(with: Array("PK".utf8))
      return check(npz: isArchive ? bytes : Seeds.archive(bytes, deflated: true))
    }
  }

  private func check(npz bytes: [UInt8]) -> Bool? {
    do throws(WeightsError) {
      for member in try ZipDirectory(bytes.span.bytes, path: "m").members {
        let array = try NpzMember(member, in: bytes.span.bytes, path: "m")
        guard member.bytes.lowerBound >= 0, member.bytes.upperBound <= bytes.count,
          array.header.bytes.upperBound == member.byteCount
        else { return false }
      }
      return true
    } catch {
      return error.description.isEmpty ? false : nil
    }
  }

  /// The input with the length that its last brace suggests.
  func withHeaderLength(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 8, let last = bytes.lastIndex(of: UInt8(ascii: "}")), last >= 8 else {
      return bytes
    }
    return littleEndian(UInt64(last - 7)) + bytes[8...]
  }

  private func isSound(_ position: JSONPosition, in bytes: [UInt8]) -> Bool {
    position.line >= 1 && position.column >= 1 && position.line <= bytes.count + 1
      && position.column <= bytes.count + 2
  }

  /// Whether the tensors cover the data without gap or overlap, each with its own size.
  private func cover(_ entries: [SafetensorsHeader.Entry], from start: Int, to end: Int) -> Bool {
    var place = start
    let ordered = entries.sorted {
      ($0.bytes.lowerBound, $0.bytes.upperBound) < ($1.bytes.lowerBound, $1.bytes.upperBound)
    }
    for entry in ordered {
      guard entry.bytes.lowerBound == place,
        entry.bytes.count * 8 == entry.elementCount * entry.elementType.bitWidth
      else { return false }
      place = entry.bytes.upperBound
    }
    return place == end
  }

  /// Whether header and data fit, by converting all values.
  private func isSound(_ header: NpyHeader, in file: RawSpan) -> Bool {
    guard header.bytes.upperBound == file.byteCount,
      header.bytes.count * 8 == header.elementCount * header.elementType.bitWidth
    else { return false }
    guard header.elementType.isConvertible else { return true }
    let values = FloatConversion.floats(
      of: file.extracting(header.bytes), header.elementType, isBigEndian: header.isBigEndian)
    return FloatConversion.rowMajor(values, shape: header.shape).count == header.elementCount
  }
}
