/// Small JPEG files. Made by Pillow 13 (quality 60 to 95, optimised), but for the arithmetic one.
package enum JPEGBytes {
  /// 8 x 8 pixels, all of level 100.
  package static let level100 = decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJ"
      + "BwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAA"
      + "AAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AD3//2Q==")
  /// 16 x 16 pixels, luma at twice the resolution of chroma.
  package static let color = decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZG"
      + "NywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09P"
      + "T09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA"
      + "AwUG/8QAFxAAAwEAAAAAAAAAAAAAAAAAAAIFYv/EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAGhEAAgIDAAAAAAAA"
      + "AAAAAAAAAAUCBCExYf/aAAwDAQACEQMRAD8AlpPyOk/JpEn5HSfkAvu6yWpsOn//2Q==")
  /// The same in several scans.
  package static let progressive = decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZG"
      + "NywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09P"
      + "T09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCAAQABADASIAAhEBAxEB/8QAFwAAAwEAAAAAAAAAAAAAAAAA"
      + "AgMEBf/EABQBAQAAAAAAAAAAAAAAAAAAAAT/2gAMAwEAAhADEAAAAZT0mHb/AP/EABUQAQEAAAAAAAAAAAAAAAAA"
      + "AAAT/9oACAEBAAEFAppppv/EABYRAAMAAAAAAAAAAAAAAAAAAAABBP/aAAgBAwEBPwF0H//EABYRAAMAAAAAAAAA"
      + "AAAAAAAAAAADBP/aAAgBAgEBPwGdx//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEABj8CH//EABYQAAMAAAAA"
      + "AAAAAAAAAAAAAAABYf/aAAgBAQABPyFQKBQKD//aAAwDAQACAAMAAAAQa//EABURAQEAAAAAAAAAAAAAAAAAAABh"
      + "/9oACAEDAQE/ELP/xAAWEQADAAAAAAAAAAAAAAAAAAAAITH/2gAIAQIBAT8Qiz//xAAUEAEAAAAAAAAAAAAAAAAA"
      + "AAAg/9oACAEBAAE/EBJJ/9k=")
  /// 16 x 16 pixels of four inks, with Adobe's marker.
  package static let inks = decoded(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2Rjcs"
      + "LUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAG"
      + "B//EABgQAQADAQAAAAAAAAAAAAAAAAAFFUJi/9oADgRDAE0AWQBLAAA/AJJXXfa0mNKwLvtCTGgZrd9ruY0Bd9oS"
      + "Y0P/2Q==")

  /// A frame header and one scan of nothing.
  ///
  /// - Parameters:
  ///   - components: samples a pixel.
  ///   - process: the marker of the frame, 0xC0 for baseline.
  package static func frame(
    _ width: UInt16, _ height: UInt16, components: UInt8 = 3, precision: UInt8 = 8,
    process: UInt8 = 0xC0
  ) -> [UInt8] {
    var frame: [UInt8] = [precision]
    frame += bigEndian(height)
    frame += bigEndian(width)
    frame.append(components)
    var scan: [UInt8] = [components]
    for component in 0..<components {
      frame += [component + 1, 0x11, 0]
      scan += [component + 1, 0]
    }
    scan += [0, 63, 0]
    let quantization: [UInt8] = [0] + [UInt8](repeating: 1, count: 64)
    return [0xFF, 0xD8] + segment(0xDB, quantization) + segment(process, frame)
      + segment(0xDA, scan) + [0xFF, 0xD9]
  }

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(UInt16(body.count + 2)) + body
  }

  private static func decoded(_ base64: String) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for character in base64.utf8 {
      guard let digit = digits.firstIndex(of: character) else { break }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
