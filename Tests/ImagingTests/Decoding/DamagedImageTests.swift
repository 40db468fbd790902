import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

/// Sound files, cut off or changed at every place: refused or decoded, never a trap.
struct DamagedImageTests {
  typealias Case = HostileImageTests.Case

  /// A file cut off anywhere is refused, or was whole where pixels are concerned.
  @Test(arguments: [
    Case("PNG", "", PNGBytes.ramp(9, 7).bytes),
    Case("interlaced", "", interlaced),
    Case("JPEG", "", JPEGBytes.color), Case("progressive", "", JPEGBytes.progressive),
    Case("inks", "", JPEGBytes.inks), Case("gray", "", JPEGBytes.level100),
  ])
  func cutAnywhere(_ each: Case) throws {
    let processor = ImageProcessor.squashing(5, 4, convertsFirst: false)
    let whole = try processor.pixels(of: each.file, origin: each.name)
    var refused = 0
    for count in 0..<each.file.count {
      let cut = Array(each.file[..<count])
      if let pixels = try? processor.pixels(of: cut, origin: each.name) {
        #expect(pixels == whole, "\(count) bytes")
      } else {
        refused += 1
      }
    }
    // At most the checksums and the end mark of a PNG, the end mark of a JPEG are not needed.
    #expect(refused >= each.file.count - 24, "\(each.file.count - refused) cuts are accepted")
  }

  /// The rows of the passes of 4 x 2 pixels that are not empty: the first, fourth, sixth, seventh.
  private static let interlaced: [UInt8] = {
    var png = PNGBytes(4, 2, rows: [0, 1, 0, 2, 0, 3, 4, 0, 5, 6, 7, 8])
    png.interlacing = 1
    return png.bytes
  }()

  /// Changes at random: an error with the file's name, or pixels.
  @Test func changedAnywhere() throws {
    var random = SeededGenerator(seed: 5)
    let files = [
      PNGBytes.ramp(9, 7).bytes, JPEGBytes.color, JPEGBytes.progressive, JPEGBytes.inks,
    ]
    let processor = ImageProcessor.squashing(5, 4, convertsFirst: false)
    for round in 0..<800 {
      var file = files[round % files.count]
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: file.indices, using: &random)
        file[place] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        #expect(try processor.pixels(of: file, origin: "a.jpg").count == 60)
      } catch {
        #expect("\(error)".hasPrefix("a.jpg: "))
      }
    }
  }
}
