import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// What is like a lookup in a split table, but not exactly one, stays the operations that it is.
struct SplitTableDeviationTests {
  struct Deviation: CustomTestStringConvertible, Sendable {
    let name: String
    let change: @Sendable (inout [MILOperation]) -> Void
    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout [MILOperation]) -> Void) {
      self.name = name
      self.change = change
    }

    /// Another argument of an operation.
    static func of(_ value: String, _ parameter: String, _ argument: MILArgument) -> Deviation {
      let words = argument.arguments.map { binding in
        let number = binding.value
        return binding.name.isEmpty
          ? "\(number.immediateValue.tensor.ints.values) of \(number.type.tensorType.words)"
          : binding.name
      }
      return Deviation("\(parameter) of \(value) is \(words.joined())") {
        $0[value].inputs[parameter] = argument
      }
    }

    /// Two arguments of an operation in each other's place.
    static func swapped(_ value: String, _ one: String, _ other: String) -> Deviation {
      Deviation("\(one) and \(other) of \(value) are swapped") {
        let inputs = $0[value].inputs
        $0[value].inputs[one] = inputs[other]
        $0[value].inputs[other] = inputs[one]
      }
    }

    /// Another operation.
    static func type(_ value: String, _ type: String) -> Deviation {
      Deviation("\(value) is \(type)") { $0[value].type = type }
    }
  }

  static let numbers: [Deviation] = [
    .of("words_is_first", "y", .value(.int(7))), .of("words_is_first", "y", .value(.int(9))),
    .of("words_first_ids", "b", .value(.int(8))), .of("words_first_ids", "b", .value(.int(0))),
    .of("words_behind", "y", .value(.int(7))), .of("words_behind", "y", .value(.int(9))),
    .of("words_rest_ids", "y", .value(.int(1))), .of("words_rest_ids", "y", .value(.int(-1))),
    .of("words_is_first", "y", .value(.ints([8]))),
    .of("words_first_ids", "b", .value(.ints([7]))),
    .of("words_behind", "y", .value(.ints([8]))), .of("words_rest_ids", "y", .value(.ints([0]))),
  ]

  static let ids: [Deviation] = [
    .of("words_is_first", "x", .named("others")), .of("words_first_ids", "a", .named("others")),
    .of("words_behind", "x", .named("others")), .of("words_first", "indices", .named("others")),
    .of("words_rest", "indices", .named("others")),
    .of("words_first", "indices", .named("words_rest_ids")),
    .of("words_rest", "indices", .named("words_first_ids")),
  ]

  /// Integers that wrap around where those of 32 bits do not.
  static let narrow: [Deviation] =
    ["words_first_ids", "words_behind", "words_rest_ids"].flatMap { name in
      [MILDataType.int16, .uint16].map { type in
        Deviation("\(name) is \(type)") { $0[name].outputs[0].type = .tensor(type, [4, 4]) }
      }
    } + [
      Deviation("ids are cast before they are moved") { operations in
        let place = operations.firstIndex { $0.outputs[0].name == "words_behind" } ?? 0
        operations.insert(
          MILOperation(
            "cast", inputs: [("x", .named("ids")), ("dtype", .value(.string("uint16")))],
            outputs: [("narrow", .tensor(.uint16, [4, 4]))]), at: place)
        operations["words_behind"].inputs["x"] = .named("narrow")
      }
    ]

  static let operations: [Deviation] = [
    .swapped("words", "a", "b"), .swapped("words_first_ids", "a", "b"),
    .swapped("words_is_first", "x", "y"), .swapped("words_behind", "x", "y"),
    .swapped("words_rest_ids", "x", "y"), .type("words_is_first", "greater_equal"),
    .type("words_is_first", "equal"), .type("words_behind", "add"),
    .type("words_rest_ids", "mul"), .type("words_rest_ids", "add"),
    Deviation("rows are chosen along another axis") {
      $0["words_choice"].inputs["axes"] = .value(.ints([0]))
      $0["words_choice"].outputs[0].type = .tensor(.bool, [1, 4, 4])
    },
    Deviation("rows are chosen by another comparison") { operations in
      var other = operations["words_is_first"]
      other.outputs[0].name = "other"
      let place = operations.firstIndex { $0.outputs[0].name == "words_choice" } ?? 0
      operations.insert(other, at: place)
      operations["words_choice"].inputs["x"] = .named("other")
    },
  ]

  static let constants: [Deviation] = [
    Deviation("the parts are swapped") {
      $0["words_first"].inputs["x"] = .named("word_embeddings_weight_rest")
      $0["words_rest"].inputs["x"] = .named("word_embeddings_weight_first")
    },
    Deviation("both parts are one") {
      $0["words_rest"].inputs["x"] = .named("word_embeddings_weight_first")
    },
    Deviation("the first part has another number of rows") {
      $0["word_embeddings_weight_first"] = palette("word_embeddings_weight_first", [9, 4])
    },
    Deviation("a part has another width") {
      $0["word_embeddings_weight_rest"] = palette("word_embeddings_weight_rest", [16, 1])
      $0["words_rest"].outputs[0].type = .tensor(.float16, [4, 4, 1])
    },
    Deviation("a part is float32") {
      $0["word_embeddings_weight_rest"] = palette("word_embeddings_weight_rest", [16, 4], .float32)
      $0["words_rest"].outputs[0].type = .tensor(.float32, [4, 4, 4])
    },
    Deviation("a part is not compressed") {
      let value = MILValue.bytes([UInt8](repeating: 0, count: 128), .float16, [16, 4])
      $0["word_embeddings_weight_rest"] = MILOperation(
        "const", attributes: [("val", value)],
        outputs: [("word_embeddings_weight_rest", value.type)])
    },
    Deviation("the names are no pair") {
      $0.rename("word_embeddings_weight_rest", "word_embeddings_weight_rest_1")
    },
    Deviation("the names are of two tables") {
      $0.rename("word_embeddings_weight_rest", "other_rest")
    },
    Deviation("the names leave no name") {
      $0.rename("word_embeddings_weight_first", "_first")
      $0.rename("word_embeddings_weight_rest", "_rest")
    },
    Deviation("the table's name is taken") {
      $0.append(
        MILOperation(
          "const", attributes: [("val", .int(1))],
          outputs: [("word_embeddings_weight", .tensor(.int32))]))
    },
    Deviation("the first part is read by something else") {
      read("word_embeddings_weight_first", &$0)
    },
    Deviation("the other part is read by something else") {
      read("word_embeddings_weight_rest", &$0)
    },
  ]

  /// Each step of a lookup, and what else it would give if something else read it.
  static let readers: [Deviation] = [
    "words_is_first", "words_first_ids", "words_behind", "words_rest_ids", "words_first",
    "words_rest", "words_choice",
  ].map { name in
    Deviation("\(name) is read by something else") { operations in
      let isFloat = ["words_first", "words_rest"].contains(name)
      var copy = operations[name].outputs[0].type
      copy.tensorType.dataType = isFloat ? .bool : .float32
      operations.append(
        MILOperation(
          "cast",
          inputs: [("x", .named(name)), ("dtype", .value(.string(isFloat ? "bool" : "fp32")))],
          outputs: [("other", copy)]))
    }
  }

  /// Zeros in two bits, as another constant.
  private static func palette(
    _ name: String, _ shape: [Int], _ type: MILDataType = .float16
  ) -> MILOperation {
    let table: MILValue =
      type == .float16
      ? .bytes([UInt8](repeating: 0, count: 8), .float16, [1, 1, 4, 1])
      : .floats([0, 0, 0, 0], [1, 1, 4, 1])
    let bytes = [UInt8](repeating: 0, count: shape.reduce(1, *) / 4)
    return MILOperation(
      "constexpr_lut_to_dense",
      inputs: [("indices", .value(.bytes(bytes, .uint2, shape))), ("lut", .value(table))],
      outputs: [(name, .tensor(type, shape))])
  }

  private static func read(_ name: String, _ operations: inout [MILOperation]) {
    operations.append(
      MILOperation(
        "relu", inputs: [("x", .named(name))],
        outputs: [("other", operations[name].outputs[0].type)]))
  }

  @Test(arguments: numbers + ids + narrow + operations + constants + readers)
  func staysAsItIs(_ test: Deviation) throws {
    let trip = try SplitLookups.program()
    #expect(ProgramRoundTripTests.lines(trip.read.graph) == [SplitLookups.line([4, 4])])
    var operations = trip.operations
    test.change(&operations)
    let read = try trip.reading(operations)
    let result = try #require(read.graph.nodes.first { $0.name == "words" })
    #expect(result.operation is Select)
    #expect(read.graph.nodes.count { $0.operation is Gather } == 2)
    #expect(read.constants["word_embeddings_weight"] == nil)
    #expect(read.constants.values.allSatisfy { if case .split = $0.form { false } else { true } })
  }

  /// The same lookup in other words is one.
  @Test func whatMeansTheSame() throws {
    let trip = try SplitLookups.program()
    var operations = trip.operations
    operations["words_first"].inputs["axis"] = .value(.int(-2))
    operations["words_choice"].inputs["axes"] = .value(.ints([-1]))
    operations["words_behind"].inputs["y"] = .value(.int(8))
    let read = try trip.reading(operations)
    #expect(ProgramRoundTripTests.lines(read.graph) == [SplitLookups.line([4, 4])])
    // The other part may have any rows.
    operations["word_embeddings_weight_rest"] = Self.palette(
      "word_embeddings_weight_rest", [40, 4])
    let longer = try trip.reading(operations)
    #expect(ProgramRoundTripTests.lines(longer.graph) == [SplitLookups.line([4, 4], rows: 48)])
  }

  /// An operation that is not known is named, and never taken for one that is.
  @Test func minimumIsNotKnown() throws {
    let trip = try SplitLookups.program()
    var operations = trip.operations
    operations["words_first_ids"].type = "minimum"
    #expect(
      message { _ = try trip.reading(operations) }
        == "minimum 'words_first_ids': is not known; known: "
        + CoreMLOperations.byName.keys.sorted().joined(separator: ", "))
  }
}
