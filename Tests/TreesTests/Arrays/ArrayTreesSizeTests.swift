import Files
import StrictJSON
import Testing

@testable import Trees

/// Arrays whose sizes cannot be right, or are too much, are refused before one element is read.
struct ArrayTreesSizeTests {
  private struct Touched: Error {}

  /// Reads the whole model of `ArrayTreesTests` with some arrays of other shapes that nothing may read.
  private func fault(_ shapes: [String: [Int]]) -> (any Error)? {
    do {
      let model = try JSONParser.parseObject(
        Array(ArrayTreesTests.whole.utf8), origin: "model.json")
      _ = try ArrayTrees.read(model) { name in
        let shape = shapes[name] ?? ArrayTreesTests.arrays[name]?.shape ?? []
        return TreeArray(shape: shape) { throw Touched() }
      }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      (
        ["threshold": [1 << 29]],
        "the array of 'children_left' has the shape [6], expected [536870912]"
      ),
      (["left": [7]], "the array of 'children_left' has the shape [7], expected [6]"),
      (["missing": [1 << 29]], "has the shape [536870912], expected [6]"),
      (["set": [6, 1]], "the array of 'category_set' has the shape [6, 1], expected [6]"),
      (["value": [5, 2]], "the array of 'value' has the shape [5, 2], expected [6, 1 or more]"),
      (["threshold": [1 << 31]], "there are 2147483648 nodes, at most 1073741824 are read"),
      (
        ["value": [6, 1 << 40], "threshold": [6]],
        "its 6 nodes of 1099511627776 numbers needs 52776558133488 bytes of memory"
      ),
    ] as [([String: [Int]], String)])
  func aShapeIsJudgedFirst(_ shapes: [String: [Int]], _ words: String) throws {
    let error = try #require(fault(shapes))
    #expect(!(error is Touched))
    #expect("\(error)".contains(words), "\(error)")
  }

  /// What is of one size, and of too much of it, is refused as well.
  @Test func memoryIsAskedForAllTogether() throws {
    let count = 1 << 29
    var shapes: [String: [Int]] = ["value": [count, 100_000]]
    for name in ["threshold", "left", "right", "feature", "missing", "set"] {
      shapes[name] = [count]
    }
    let error = try #require(fault(shapes))
    guard case .noMemory(_, let thing, _, _) = error as? FileError else {
      Issue.record("\(error)")
      return
    }
    #expect(thing == "its 536870912 nodes of 100000 numbers")
  }
}
