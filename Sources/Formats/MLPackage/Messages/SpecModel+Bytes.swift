import SwiftProtobuf

extension SpecModel {
  /// The message with its maps in the order of their keys: the same model gives the same bytes.
  func deterministicBytes() throws -> [UInt8] {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    return try serializedBytes(options: options)
  }
}
