import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// Files that end early, at every byte: the error says where, and nothing traps.
struct XGBoostTruncationTests {
  /// The byte at which reading stopped; nil where an error names none.
  private func place(_ bytes: ArraySlice<UInt8>) throws -> Int? {
    do {
      _ = try XGBoostModel.read(inMemory(bytes))
      return nil
    } catch let error as ScanError {
      if case .byte(let offset) = error.place { return offset }
      // Of one byte it cannot be said that the file is binary.
      if case .line(1, let column) = error.place, bytes.count < 2 { return column - 1 }
      return nil
    }
  }

  private func judge(_ bytes: [UInt8], _ name: String) throws {
    _ = try XGBoostModel.read(inMemory(bytes))
    var faults = 0
    for count in bytes.indices {
      let offset = try place(bytes[..<count])
      // Of an array that is longer than what is left, its beginning is named.
      guard let offset, offset <= count else {
        faults += 1
        if faults == 1 {
          Issue.record("\(name): \(count) of \(bytes.count) bytes: \(offset ?? -1)")
        }
        continue
      }
    }
    #expect(faults == 0, "\(name)")
  }

  @Test func smallBinaryFiles() throws {
    try judge(
      ubjson(XGBoostSample.text.replacingOccurrences(of: "[NaN,Infinity]", with: "[0,0]")), "text")
    try judge(ubjson(XGBoostSample.vectors), "vectors")
  }

  @Test(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
  func theSmallestBinaryFileOfTheLibrary() throws {
    let files = try JudgedModel.all(of: "xgboost").map(\.path).filter { $0.hasSuffix(".ubj") }
      .map { ($0, [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0)))) }
    let smallest = try #require(files.min { $0.1.count < $1.1.count })
    try judge(smallest.1, smallest.0)
  }

  /// Texts, too: a place in the line, and never one behind the end.
  @Test func smallTexts() throws {
    let text = Array(XGBoostSample.text.utf8)
    for count in text.indices {
      do {
        _ = try XGBoostModel.read(inMemory(text[..<count]))
        Issue.record("\(count) bytes are a model")
      } catch let error as ScanError {
        guard case .line(1, let column) = error.place, column <= count + 1 else {
          Issue.record("\(count) bytes: \(error)")
          return
        }
      }
    }
  }
}
