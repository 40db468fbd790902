import Graph
import Testing
import Weights

@testable import Gate

/// Columns that references reach and that moved where outputs do not show it excuse no column that none reaches.
struct HiddenLinesTests {
  private typealias Tables = ForgedTableTests

  /// A model of layers over some features.
  private static func layers(_ count: Int, _ layers: String, _ output: String) -> String {
    let names = (0..<count).map { #"{"name": "f\#($0)"}"# }.joined(separator: ", ")
    return
      #"{"architecture": "dense", "inputs": [\#(names)], "layers": [\#(layers)], "output": \#(output)}"#
  }

  /// - Parameter dead: the last features, which are 0 in all.
  private static func rows(_ width: Int, dead: Int = 2) -> [[Float]] {
    let numbers = Tables.values(40 * width)
    return (0..<40).map { line in
      numbers[line * width..<(line + 1) * width - dead] + [Float](repeating: 0, count: dead)
    }
  }

  private static func rounded(_ weights: [Float]) -> [Float] {
    weights.map { ($0 * 127).rounded() / 127 }
  }

  /// What is added to all classes of a softmax changes no probability, so that it explains nothing.
  @Test func whatASoftmaxTakesOutExcusesNothing() throws {
    let width = 8, classes = 6
    let json = Self.layers(
      width, #"{"weight": "a", "activation": "softmax"}"#,
      #"{"kind": "classifier", "labels": ["a", "b", "c", "d", "e", "f"]}"#)
    let weights = Tables.values(classes * width)
    func reasons(_ change: (Int, Float) -> Float) throws -> [String] {
      let changed = weights.enumerated().map { change($0 % width, $1) }
      return try Tables.reasons(
        Tables.model(json, ["a": ([classes, width], changed)]),
        Tables.model(json, ["a": ([classes, width], weights)]), on: Self.rows(width))
    }
    #expect(try reasons { ($1 * 31).rounded() / 31 } == [])
    func shift(_ column: Int) -> Float { column % 2 == 0 ? 0.1 : -0.1 }
    #expect(try reasons { $0 < 6 ? $1 + shift($0) : $1 } == [])
    for forged in [{ $0 * 0.5 }, { $0 * 1.4 }] as [(Float) -> Float] {
      let found = try reasons { $0 < 6 ? $1 + shift($0) : forged($1) }
      #expect(found.count == 1, "\(found)")
      #expect(
        found.first?.contains("; columns that references reach moved by ") == true, "\(found)")
    }
  }

  /// A unit times two whose column is halved is the same unit.
  @Test func unitsOfAnotherSizeExcuseNothing() throws {
    let width = 6, units = 10
    let json = Self.layers(
      width, #"{"weight": "a", "bias": "c", "activation": "relu"}, {"weight": "b"}"#,
      #"{"kind": "regressor"}"#)
    let first = Self.rounded(Tables.values(units * width))
    let bias = (0..<units).map { Float($0 < 8 ? 2 : -9) }
    let second = (0..<units).map { Float($0 % 2 == 0 ? 1 : -1) * (0.7 + Float($0) / 16) }
    func scale(_ unit: Int) -> Float { unit < 8 ? (unit % 3 == 0 ? 1.15 : 0.87) : 1 }
    func model(scales: Bool, forged: Float) throws -> Model {
      func size(_ unit: Int) -> Float { scales ? scale(unit) : 1 }
      return try Tables.model(
        json,
        [
          "a": ([units, width], first.enumerated().map { $1 * size($0 / width) }),
          "c": ([units], bias.enumerated().map { $1 * size($0) }),
          "b": ([1, units], second.enumerated().map { $1 / size($0) * ($0 < 8 ? 1 : forged) }),
        ])
    }
    let baseline = try model(scales: false, forged: 1)
    #expect(
      try Tables.reasons(model(scales: true, forged: 1), baseline, on: Self.rows(width, dead: 0))
        == [])
    let found = try Tables.reasons(
      model(scales: true, forged: 0.7), baseline, on: Self.rows(width, dead: 0))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("of the candidate's weight 'b'") == true, "\(found)")
  }

  /// Two columns that no reference reaches may have a value of their own together.
  @Test func columnsThatNoReferenceReachesDoNotExcuseEachOther() throws {
    let width = 8, units = 4
    let json = Self.layers(
      width, #"{"weight": "a", "activation": "tanh"}, {"weight": "b"}"#, #"{"kind": "regressor"}"#)
    let weights = Tables.values(units * width).enumerated().map { place, value -> Float in
      place % width < 6 ? value + (value < 0 ? -1 : 1) : value / 4
    }
    func model(_ values: [Float]) throws -> Model {
      try Tables.model(
        json, ["a": ([units, width], values), "b": ([1, units], Tables.values(units))])
    }
    let baseline = try model(weights)
    #expect(
      try Tables.reasons(model(Self.rounded(weights)), baseline, on: Self.rows(width)) == [])
    let found = try Tables.reasons(
      model(weights.enumerated().map { $0 % width < 6 ? $1 : 0.02 }), baseline, on: Self.rows(width)
    )
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.hasPrefix("2 of 2 columns of the candidate's weight 'a'") == true, "\(found)")
  }
}
