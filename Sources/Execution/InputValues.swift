/// The values of one graph input, row-major.
package enum InputValues: Sendable {
  case integers([Int32])
  case floats([Float])
}
