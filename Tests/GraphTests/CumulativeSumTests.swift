import Graph
import Testing

struct CumulativeSumTests {
  @Test func keepsTypeAndShape() throws {
    for type in [ValueType(.int32, [2, 3]), ValueType(.float32, [2, 3])] {
      #expect(try CumulativeSum(.literal(.float(0)), axis: 1).inferType([type]) == type)
    }
  }

  @Test(arguments: [
    (ValueType(.bool, [2]), 0, "'x' is bool [2], expected numbers"),
    (ValueType(.int32, [2]), 1, "axis 1 is outside [2]"),
    (ValueType(.int32, [2]), -1, "axis -1 is outside [2]"),
  ])
  func refuses(type: ValueType, axis: Int, reason: String) {
    #expect(throws: ShapeFault(reason)) {
      try CumulativeSum(.literal(.float(0)), axis: axis).inferType([type])
    }
  }
}
