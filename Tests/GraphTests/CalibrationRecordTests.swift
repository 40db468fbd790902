import Testing
import Weights

@testable import Graph

struct CalibrationRecordTests {
  private static let digest = ContentDigest(of: [1])

  @Test func readsWhatItSays() {
    let record = CalibrationRecord(digest: Self.digest, inputs: 384)
    #expect(record.description == "\(Self.digest.hex) 384")
    #expect(CalibrationRecord(record.description) == record)
  }

  @Test(
    arguments: [
      "", " ", "384", digest.hex, "\(digest.hex) ", "\(digest.hex) 0", "\(digest.hex) -1",
      "\(digest.hex) 01", "\(digest.hex) +1", "\(digest.hex)  1", "\(digest.hex) 1 ", "x 1",
      "\(digest.hex) 99999999999999999999",
    ])
  func readsNothingElse(_ text: String) {
    #expect(CalibrationRecord(text) == nil)
  }
}
