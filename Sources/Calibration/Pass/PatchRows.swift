import Graph

/// A convolution as matrix products, one for each group of channels: one row for each place of its
/// window, with the numbers under it as inputs, [in / groups, h, w], and the group's channels there as
/// outputs.
struct PatchRows: Sendable {
  /// [in, height, width] of one image.
  let image: [Int]
  /// Rows and columns of the window.
  let window: [Int]
  /// [out, rows, columns] of one image.
  let output: [Int]
  let steps: WindowSteps
  /// Parts of the channels, one after the other, that are convolved separately.
  var groups = 1

  /// Rows of one image.
  var perImage: Int { output[1] * output[2] }
  /// Inputs of a row.
  var inputCount: Int { image[0] / groups * window[0] * window[1] }

  /// The inputs of all rows of a group: [images · rows, in / groups · h · w].
  ///
  /// - Parameter pixels: [images, in, height, width].
  func inputs(_ pixels: [Float], group: Int = 0) -> [Float] {
    let size = image.reduce(1, *)
    var rows: [Float] = []
    rows.reserveCapacity(pixels.count / max(1, size) * perImage * inputCount)
    for start in stride(from: 0, to: pixels.count, by: max(1, size)) {
      for row in 0..<output[1] {
        for column in 0..<output[2] { append(pixels, start, group, row, column, to: &rows) }
      }
    }
    return rows
  }

  private func append(
    _ pixels: [Float], _ start: Int, _ group: Int, _ row: Int, _ column: Int,
    to rows: inout [Float]
  ) {
    let channels = image[0] / groups
    let top = row * steps.strides[0] - steps.padding[0]
    let left = column * steps.strides[1] - steps.padding[2]
    for channel in group * channels..<(group + 1) * channels {
      for i in 0..<window[0] {
        let y = top + i * steps.dilations[0]
        for j in 0..<window[1] {
          let x = left + j * steps.dilations[1]
          let isInside = y >= 0 && y < image[1] && x >= 0 && x < image[2]
          rows.append(isInside ? pixels[start + (channel * image[1] + y) * image[2] + x] : 0)
        }
      }
    }
  }

  /// The outputs of all rows of a group: [images · rows, out / groups].
  ///
  /// - Parameter values: [images, out, rows, columns].
  func outputs(_ values: [Float], group: Int = 0) -> [Float] {
    let places = perImage, channels = output[0] / groups
    let size = max(1, places * output[0])
    var rows = [Float](repeating: 0, count: values.count / groups)
    for (image, start) in stride(from: 0, to: values.count, by: size).enumerated() {
      for channel in 0..<channels {
        let plane = start + (group * channels + channel) * places
        for place in 0..<places {
          rows[(image * places + place) * channels + channel] = values[plane + place]
        }
      }
    }
    return rows
  }
}

extension PatchRows {
  /// Nil for a convolution that is not one of images.
  ///
  /// - Parameters:
  ///   - x: [batch, in, height, width].
  ///   - output: [batch, out, rows, columns].
  init?(_ conv: Conv, weight: WeightReference, x: [Int], output: [Int]) {
    guard x.count == 4, output.count == 4 else { return nil }
    self.init(
      image: Array(x[1...]), window: Array(weight.shape[2...]), output: Array(output[1...]),
      steps: conv.steps, groups: conv.groups)
  }
}
