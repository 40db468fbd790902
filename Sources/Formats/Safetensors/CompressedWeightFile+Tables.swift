import WeightCompression
import Weights

// Numbers in tables; another tensor says which table each number is in.
extension CompressedWeightFile {
  /// Reads the numbers of a tensor in tables.
  func tables(
    _ name: TensorName, _ entry: Entry, bits: Int, groups: TensorName, isHalf: Bool
  ) throws -> CompressedTensor {
    let table = try part(CompressedLayout.tablesName(name), isHalf ? .f16 : .f32)
    let codes = TableCodes(
      ValueTables(
        bits: bits, groups: groups, count: table.shape[0], width: table.shape[1], isHalf: isHalf),
      places: try bytes(try part(CompressedLayout.codesName(name), .u8)),
      entries: try table.floats())
    let numbers = try compressed(groups, try self.groups(groups, of: name, entry.shape))
    let places = numbers.dequantized().map { Int(exactly: $0) ?? -1 }
    guard let values = codes.values(of: places) else {
      throw fault(
        "tensor '\(name)' has a place beyond its \(table.shape[0]) tables of \(table.shape[1]) "
          + "numbers, or '\(groups)' names none of them")
    }
    return try tensor(name, entry, axis: 0, .narrow(NarrowCodes(codes, values)))
  }

  /// Checks that the parts are there, and the tensor that says the tables.
  ///
  /// - Returns: the names of the parts.
  func checkTables(
    _ name: TensorName, _ shape: [Int], bits: Int, groups: TensorName, isHalf: Bool
  ) throws -> [TensorName] {
    let names = (CompressedLayout.codesName(name), CompressedLayout.tablesName(name))
    try check(names.0, .u8, [try packedBytes(name, shape, bits: bits)])
    let table = try part(names.1, isHalf ? .f16 : .f32).shape
    guard table.count == 2, !table.contains(0) else {
      throw fault("'\(names.1)' has shape \(table), expected tables and how many numbers each has")
    }
    _ = try self.groups(groups, of: name, shape)
    return [names.0, names.1]
  }

  /// The entry of the tensor that says the table of each element; whole numbers, stored as such.
  private func groups(
    _ groups: TensorName, of name: TensorName, _ shape: [Int]
  ) throws -> Entry {
    guard let entry = entries[groups],
      CheckedSize.elementCount(of: entry.shape) == CheckedSize.elementCount(of: shape)
    else {
      throw fault(
        "tensor '\(name)' of shape \(shape) has its tables from '\(groups)', which is not there "
          + "with as many elements")
    }
    switch entry.layout {
    case .packed, .uncompressed: return entry
    default:
      throw fault("tensor '\(name)' has its tables from '\(groups)', which holds no whole numbers")
    }
  }
}
