import Graph

extension WindowSteps {
  /// The parameters of MIL without the dilations, which only convolutions have.
  var parameters: [OperationParameter] {
    [
      OperationParameter("strides", .ints(strides)),
      OperationParameter("pad_type", .string(isUnpadded ? "valid" : "custom")),
      OperationParameter("pad", .ints(padding)),
    ]
  }

  /// Reads the parameters of a convolution or pool.
  ///
  /// - Parameters:
  ///   - window: its rows and columns.
  ///   - image: the last axes of the image, by which the types `same` pad.
  /// - Throws: `GraphError`.
  init(_ source: OperationReader, window: [Int], image: [Int]) throws {
    let strides = source.has("strides") ? try source.ints("strides") : [1, 1]
    let dilations = source.has("dilations") ? try source.ints("dilations") : [1, 1]
    guard strides.count == 2, dilations.count == 2, window.count == 2, image.count == 2,
      (strides + dilations).allSatisfy({ (1...1 << 14).contains($0) })
    else {
      throw source.fault("has the strides \(strides) and dilations \(dilations), expected two each")
    }
    let padding: [Int]
    switch source.has("pad_type") ? try source.string("pad_type") : "valid" {
    case "valid": padding = [0, 0, 0, 0]
    case "custom": padding = source.has("pad") ? try source.ints("pad") : [0, 0, 0, 0]
    case "same": padding = Self.same(window, image, strides, dilations, lower: false)
    case "same_lower": padding = Self.same(window, image, strides, dilations, lower: true)
    case let type: throw source.fault("has the padding '\(type)', which is not known")
    }
    self.init(strides: strides, padding: padding, dilations: dilations)
  }

  // As many zeros as give one place for every stride of the image; an odd one comes last, or first
  // if `lower`.
  private static func same(
    _ window: [Int], _ image: [Int], _ strides: [Int], _ dilations: [Int], lower: Bool
  ) -> [Int] {
    (0..<2).flatMap { axis in
      let places = (image[axis] + strides[axis] - 1) / strides[axis]
      let reach = (places - 1) * strides[axis] + (window[axis] - 1) * dilations[axis] + 1
      let all = max(0, reach - image[axis])
      let less = all / 2
      return lower ? [all - less, less] : [less, all - less]
    }
  }
}
