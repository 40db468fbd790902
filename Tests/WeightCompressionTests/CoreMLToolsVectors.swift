@testable import WeightCompression

/// coremltools 9.0's results for two small arrays of float16 values, computed in fp16 throughout.
enum CoreMLToolsVectors {
  /// [2, 8], rows are channels.
  static let matrix: [Float] = [
    0.15234375, -0.52001953125, 0.375244140625, 0.47021484375, -0.9755859375, -0.65087890625,
    0.06390380859375, -0.1580810546875, -0.00839996337890625, -0.426513671875, 0.439697265625,
    0.388916015625, 0.03302001953125, 0.5634765625, 0.2337646484375, -0.4296875,
  ]

  /// One way of quantising the matrix.
  struct Linear: Sendable {
    let integers: LinearScheme.Integers
    let mode: LinearScheme.Mode
    /// Of each row, how many blocks.
    let granularity: LinearScheme.Granularity
    let codes: [Int]
    /// Bit patterns of float16 values.
    let scales: [UInt16]
    /// Empty where the scheme has one for all.
    var zeroPoints: [Int16] = []
    /// Of four-bit codes.
    var packed: [UInt8] = []
  }

  static let linear = [
    Linear(
      integers: .int8, mode: .symmetric, granularity: .perChannel,
      codes: [
        20, -68, 49, 61, -127, -85, 8, -21, -2, -96, 99, 88, 7, 127, 53, -97,
      ],
      scales: [8158, 7307]),
    Linear(
      integers: .int8, mode: .asymmetric, granularity: .perChannel,
      codes: [
        71, -48, 110, 127, -128, -71, 55, 16, -20, -128, 95, 82, -10, 127, 42, -128,
      ],
      scales: [7630, 7162],
      zeroPoints: [44, -18]),
    Linear(
      integers: .uint8, mode: .asymmetric, granularity: .perChannel,
      codes: [
        199, 80, 238, 255, 0, 57, 183, 144, 108, 0, 223, 210, 118, 255, 170, 0,
      ],
      scales: [7630, 7162],
      zeroPoints: [172, 110]),
    Linear(
      integers: .uint8, mode: .symmetric, granularity: .perChannel,
      codes: [
        147, 59, 176, 188, 0, 42, 135, 106, 125, 31, 226, 215, 134, 254, 180, 30,
      ],
      scales: [8158, 7307]),
    Linear(
      integers: .int8, mode: .symmetric, granularity: .perTensor,
      codes: [
        20, -68, 49, 61, -127, -85, 8, -21, -1, -56, 57, 51, 4, 73, 30, -56,
      ],
      scales: [8158]),
    Linear(
      integers: .int4, mode: .symmetric, granularity: .perBlock(size: 4),
      codes: [
        2, -7, 5, 6, -7, -5, 0, -1, 0, -7, 7, 6, 0, 7, 3, -5,
      ],
      scales: [11457, 12406, 11269, 11559],
      packed: [0x92, 0x65, 0xb9, 0xf0, 0x90, 0x67, 0x70, 0xb3]),
    Linear(
      integers: .int4, mode: .asymmetric, granularity: .perBlock(size: 4),
      codes: [
        2, -8, 6, 7, -8, -3, 7, 4, -1, -8, 7, 6, -2, 7, 2, -8,
      ],
      scales: [11322, 11375, 11108, 11325],
      zeroPoints: [0, 6, -1, -2],
      packed: [0x82, 0x76, 0xd8, 0x47, 0x8f, 0x67, 0x7e, 0x82]),
    Linear(
      integers: .uint4, mode: .asymmetric, granularity: .perBlock(size: 4),
      codes: [
        10, 0, 14, 15, 0, 5, 15, 12, 7, 0, 15, 14, 6, 15, 10, 0,
      ],
      scales: [11322, 11375, 11108, 11325],
      zeroPoints: [8, 14, 7, 6],
      packed: [0x0a, 0xfe, 0x50, 0xcf, 0x07, 0xef, 0xf6, 0x0a]),
  ]

  /// Forty float16 values in ascending order.
  static let values: [Float] = [
    -1.45703125, -0.958984375, -0.84033203125, -0.82470703125, -0.81396484375, -0.68115234375,
    -0.66552734375, -0.638671875, -0.51220703125, -0.470458984375, -0.42822265625, -0.406494140625,
    -0.35205078125, -0.319580078125, -0.184814453125, -0.154541015625, -0.11395263671875,
    -0.0499267578125, 0.06756591796875, 0.11669921875, 0.2186279296875, 0.2236328125,
    0.232177734375, 0.2890625, 0.365478515625, 0.36865234375, 0.412841796875, 0.430908203125,
    0.5322265625, 0.54296875, 0.6162109375, 0.63134765625, 0.650390625, 0.6787109375, 0.7431640625,
    0.87158203125, 0.87841796875, 1.12890625, 1.22265625, 2.142578125,
  ]

  /// The centroids that kmeans1d finds for four entries, and their float16 values.
  static let centroids = [
    -0.6692417689732143, 0.15874372209821427, 0.7724165482954545, 2.142578125,
  ]
  static let storedCentroids: [Float] = [-0.66943359375, 0.15869140625, 0.7724609375, 2.142578125]
  static let clusters: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 3,
  ]

  /// A table of sixteen equal steps from the lowest value to the highest, and the nearest places.
  static let uniformTable: [Float] = [
    -1.45703125, -1.216796875, -0.97705078125, -0.7373046875, -0.4970703125, -0.257080078125,
    -0.01708984375, 0.222900390625, 0.462890625, 0.703125, 0.94287109375, 1.1826171875,
    1.4228515625, 1.6630859375, 1.90234375, 2.142578125,
  ]
  static let uniformIndices: [UInt8] = [
    0, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 9, 9,
    9, 9, 9, 10, 10, 11, 11, 15,
  ]
  static let uniformPacked: [UInt8] = [
    0x20, 0x33, 0x33, 0x33, 0x44, 0x44, 0x55, 0x55, 0x66, 0x76, 0x77, 0x77, 0x88, 0x88, 0x88, 0x99,
    0x99, 0xa9, 0xba, 0xfb,
  ]
}
