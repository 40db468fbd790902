/// Reads convolutions of several branches, or what they were put together to.
struct BranchedConvReader {
  let layers: ConvLayerReader

  /// MobileOne's branches: a convolution, one of single places where the window is larger, and the image
  /// itself where it keeps its size.
  ///
  /// - Parameters:
  ///   - source: prefix of the names.
  ///   - name: in the graph.
  ///   - channels: of the image.
  ///   - isDepthwise: whether each channel is convolved on its own.
  ///   - isScaled: whether there is a branch of single places for larger windows.
  ///   - isExcited: whether squeeze and excitation is behind.
  ///   - isActive: whether an activation is behind.
  func mobileOne(
    _ source: String, _ name: String, _ channels: Int, stride: Int = 1,
    isDepthwise: Bool = false, isScaled: Bool = true, isExcited: Bool = false,
    isActive: Bool = true
  ) throws -> BranchedConv {
    var made = BranchedConv(
      name: name, convolutions: [], excitation: isExcited ? try excitation(source) : nil,
      isActive: isActive)
    if layers.has("\(source)reparam_conv") {
      made.convolutions = [try whole(source, channels, stride, isDepthwise)]
      return made
    }
    let main = try branch("\(source)conv_kxk.0.", channels, stride, isDepthwise)
    made.convolutions = [main]
    if isScaled, main.shape[2] > 1 {
      made.convolutions.append(try branch("\(source)conv_scale.", channels, stride, isDepthwise))
    }
    if stride == 1, channels == main.shape[0] { made.identity = "\(source)identity" }
    return made
  }

  /// A convolution with a large window beside one with a small window, each channel on its own, to
  /// half the size.
  func large(
    _ source: String, _ name: String, _ channels: Int, isExcited: Bool, isActive: Bool
  ) throws -> BranchedConv {
    let isWhole = layers.has("\(source)reparam_conv")
    return BranchedConv(
      name: name,
      convolutions: isWhole
        ? [try whole(source, channels, 2, true)]
        : try ["large_conv.", "small_conv."].map { try branch(source + $0, channels, 2, true) },
      excitation: isExcited ? try excitation(source) : nil, isActive: isActive)
  }

  // With a bias and without a norm.
  private func whole(
    _ source: String, _ channels: Int, _ stride: Int, _ isDepthwise: Bool
  ) throws -> ConvLayer {
    var layer = try layers.layer(
      "\(source)reparam_conv", inputs: channels, isDepthwise: isDepthwise)
    layer.stride = stride
    return layer
  }

  private func branch(
    _ source: String, _ channels: Int, _ stride: Int, _ isDepthwise: Bool
  ) throws -> ConvLayer {
    var layer = try layers.layer(
      "\(source)conv", norm: "\(source)bn", inputs: channels, isDepthwise: isDepthwise)
    layer.stride = stride
    return layer
  }

  private func excitation(_ source: String) throws -> Excitation {
    let reduce = try layers.layer("\(source)se.fc1", .relu)
    return Excitation(
      reduce: reduce, expand: try layers.layer("\(source)se.fc2", inputs: reduce.shape[0]),
      isHard: false)
  }
}
