import TestSupport

/// Sound inputs the mutations start from.
enum Seeds {
  static let json: [[UInt8]] = [
    #"{"a":[1,-2.5e+3,true,null,"x\u00e9\ud83d\ude00"],"b":{"c":false},"d":""}"#,
    #"[[[[[[]]]]],{},{"k":[0,10,200]},"\"\\\/\b\f\n\r\t"]"#,
    " { \"\u{E9}\" : 1 ,\n \"e\u{301}\" : 2 }\r\n",
    "{" + (0..<20).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
    "-0.0", "1e-7", "\"\"", "true",
  ].map { Array($0.utf8) }

  static let index: [[UInt8]] = [
    #"{"weight_map":{"a":"one.safetensors","b":"two.safetensors"},"metadata":{"total_size":12}}"#,
    #"{"metadata":{}, "weight_map" : { "\u00e9" : "x" } }"#,
  ].map { Array($0.utf8) }

  static let safetensors: [[UInt8]] = [
    SafetensorsBytes.floats("a", [1, 2, 3]),
    SafetensorsBytes.file("{}      "),
    SafetensorsBytes.file(
      #"{"__metadata__":{"format":"pt","x":"y"},"#
        + #""b.weight":{"dtype":"F16","shape":[2,3],"data_offsets":[4,16]},"#
        + #""a":{"dtype":"F4","shape":[8],"data_offsets":[0,4]},"#
        + #""e":{"dtype":"I64","shape":[0,7],"data_offsets":[16,16]},"#
        + #""s":{"dtype":"BOOL","shape":[],"data_offsets":[16,17]}}"#, data: 17),
    SafetensorsBytes.file(
      #"{"m":{"dtype":"F6_E2M3","shape":[2,2],"data_offsets":[0,3]},"#
        + #""n":{"dtype":"F64","shape":[1,1,1],"data_offsets":[3,11]}}"#, data: 11),
    SafetensorsBytes.file(
      #"{"v":{"dtype":"F32","shape":[0,2147483647],"data_offsets":[0,0]},"#
        + #""w":{"dtype":"F32","shape":[9,0],"data_offsets":[0,0]}}"#),
  ]

  static let npy: [[UInt8]] = [
    NpyBytes.array("<f4", "(2, 2)", data: floatBytes([1, 2, 3, 4])),
    NpyBytes.array(">f8", "(2,)", data: [UInt8](repeating: 3, count: 16), fortran: true),
    NpyBytes.array("|u1", "()", data: [7], version: 2),
    NpyBytes.array("<i2", "(0, 5)", data: [], version: 3),
    NpyBytes.array("<f4", "(2147483647, 0)", data: [], fortran: true),
    NpyBytes.array("|b1", "(1, 1, 3)", data: [0, 1, 1], fortran: true),
    NpyBytes.file(
      #"{"shape": (3,), "fortran_order": False, "descr": "<f2"}"#, data: [1, 2, 3, 4, 5, 6]),
  ]

  static let npz: [[UInt8]] = {
    let members = npy.enumerated().map { index, bytes in
      ZipBytes.Member("m\(index).npy", bytes, deflated: index % 2 == 0)
    }
    var commented = ZipBytes([members[1]])
    commented.comment = Array("a comment".utf8)
    commented.hasLargeRecords = true
    return [
      ZipBytes(members).bytes, ZipBytes([members[0]]).bytes, ZipBytes([]).bytes, commented.bytes,
    ]
  }()

  /// A sound archive of one member.
  static func archive(_ content: [UInt8], deflated: Bool = false) -> [UInt8] {
    ZipBytes([ZipBytes.Member("m.npy", content, deflated: deflated)]).bytes
  }
}
