import Graph
import Inputs
import Testing
import WeightCompression

@testable import Calibration

@Suite struct InputShapesTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let lengths: [Int]
    let copies: Int
    let maximum: Int
    var inputs = 1000
    let budget: InputShapes.Budget
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "room for all", lengths: [3, 4, 5], copies: 2, maximum: 36,
      budget: .init(indices: [0, 1, 2], copies: 2)),
    Case(
      name: "room for one copy", lengths: [3, 4, 5], copies: 2, maximum: 35,
      budget: .init(indices: [0, 1, 2], copies: 1)),
    Case(
      name: "room for none", lengths: [3, 4, 5], copies: 2, maximum: 23,
      budget: .init(indices: [0, 1, 2], copies: 0)),
    Case(
      name: "room for some", lengths: [4, 4, 4, 4], copies: 2, maximum: 8,
      budget: .init(indices: [1, 3], copies: 0)),
    Case(
      name: "a long one among the chosen", lengths: [1, 1, 10, 1], copies: 0, maximum: 11,
      budget: .init(indices: [1, 3], copies: 0)),
    Case(
      name: "one that is too long", lengths: [100], copies: 2, maximum: 8,
      budget: .init(indices: [0], copies: 0)),
    Case(
      name: "inputs enough for one copy", lengths: [1, 1, 1], copies: 2, maximum: 100, inputs: 8,
      budget: .init(indices: [0, 1, 2], copies: 1)),
    Case(
      name: "inputs enough without copies", lengths: [1, 1, 1], copies: 2, maximum: 100, inputs: 5,
      budget: .init(indices: [0, 1, 2], copies: 0)),
    Case(
      name: "nothing", lengths: [], copies: 2, maximum: 8, budget: .init(indices: [], copies: 2)),
  ]

  @Test(arguments: cases) func keepsWithinTheLimit(_ testCase: Case) {
    var settings = CalibrationSettings()
    settings.noisyCopies = testCase.copies
    settings.maxValues = testCase.maximum
    settings.maxInputs = testCase.inputs
    let found = InputShapes(rowsPerInput: 1).budget(lengths: testCase.lengths, settings)
    #expect(found == testCase.budget)
  }

  @Test func otherInputsAreBoundedByTheRowsOfTheLayersAndTheirOwnSize() throws {
    let model = try denseModel()
    #expect(InputShapes(rowsPerInput: 50, width: 2).maxInputs(of: model, 1000) == 10)
    #expect(InputShapes(rowsPerInput: 1).maxInputs(of: model, 30) == 10)
    #expect(InputShapes(rowsPerInput: 50).maxInputs(of: model, 0) == 1)
    #expect(InputShapes(rowsPerInput: 50).maxInputs(of: try TinyBert.model(), 0) == .max)
  }

  @Test func widthAndRowsAreThoseOfTheLayers() throws {
    let model = try TinyBert.model()
    let graph = try model.architecture.graph(batch: 1, length: 7)
    let layers = CalibratedLayer.all(in: graph) { _ in .int8(.perChannel) }
    let shapes = InputShapes(layers, in: graph)
    #expect(shapes.width == 32 && shapes.rowsPerInput == 7)
    var settings = CalibrationSettings()
    for (maximum, copies) in [(32 * 40, 1), (32 * 40 - 1, 0)] {
      settings.maxValues = maximum
      #expect(shapes.budget(lengths: [5, 5, 5, 5], settings).copies == copies)
    }
    let none = InputShapes([], in: graph)
    #expect(none.width == 1 && none.rowsPerInput == 1)
  }
}
