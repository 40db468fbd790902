import Graph
import Testing

@testable import Formats

// Integers that are known before anything runs.
extension ProgramRoundTripTests {
  /// They are computed while a program is read; a table of pairs is not, square or not.
  @Test(arguments: [2, 3, 4])
  func columnsAndRowsOfIntegersStayOperations(_ count: Int) throws {
    var builder = GraphBuilder()
    let x = builder.input("x", Self.integers(3, count))
    let column = Operand.literal(.integers([0, 1, 2], shape: [3, 1]))
    let row = Operand.literal(.integers((0..<Int32(count)).map { $0 }, shape: [1, count]))
    let apart = ElementwiseBinary(.sub, column, row)
    let order = Comparison(.less, column, row)
    let distance = try builder.append("distance", apart)
    let isBefore = try builder.append("is_before", order)
    let before = try builder.append("before", Cast(isBefore, to: .int32))
    let sum = try builder.append("sum", ElementwiseBinary(.add, distance, before))
    let result = try builder.append("result", ElementwiseBinary(.add, x, sum))
    let graph = try builder.finish(output: result)
    let read = Self.lines(try RoundTrip(graph, target: .iOS16).read.graph)
    #expect(read.contains(Self.line("distance", apart, Self.integers(3, count))))
    #expect(read.contains(Self.line("is_before", order, Self.bools(3, count))))
  }
}
