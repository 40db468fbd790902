/// What codes stand for, in blocks of rows with numbers of their own.
///
/// A value is coefficient · parameter: a palette's parameters are its entries, the coefficients 1; a
/// linear scheme's are its scales, the coefficients code − offset. Parameters have the stored float
/// type at all times. Several threads may use different blocks.
protocol CodeBook: AnyObject, Sendable {
  /// Parameters of a block.
  var parameterCount: Int { get }

  /// The code whose value is nearest.
  func nearest(_ value: Float, block: Int, column: Int) -> UInt8
  /// The value of a code as a model computes with it.
  func value(_ code: UInt8, block: Int, column: Int) -> Float

  /// Which parameter a code's value has.
  func parameter(_ code: UInt8, column: Int) -> Int
  func coefficient(_ code: UInt8, block: Int, column: Int) -> Float

  func parameters(ofBlock block: Int) -> [Double]
  /// The parameters that can be stored nearest to some.
  func storable(_ parameters: [Double], block: Int) -> [Double]
  /// Takes over parameters that can be stored.
  ///
  /// - Returns: the new code for each old one; nil where they stay.
  func replace(_ parameters: [Double], block: Int) -> [UInt8]?
}
