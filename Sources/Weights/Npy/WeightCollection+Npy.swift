import Files

extension WeightCollection {
  /// The one array of an npy file.
  static func npy(
    _ origin: String, _ file: MappedFile
  ) throws(WeightsError) -> WeightCollection {
    WeightCollection(
      origin: origin, format: "npy", tensors: [try npyTensor(file)], sources: [file])
  }

  /// The arrays of a folder's npy files.
  static func folder(
    _ path: String, _ names: [String]
  ) throws(WeightsError) -> WeightCollection {
    var files: [MappedFile] = []
    var tensors: [Tensor] = []
    for name in names {
      files.append(try map(Folder.join(path, name)))
      tensors.append(try npyTensor(files[files.count - 1]))
    }
    return WeightCollection(
      origin: path, format: "folder of npy", tensors: tensors, sources: files)
  }

  /// The arrays of an npz archive.
  static func npz(
    _ origin: String, _ file: MappedFile
  ) throws(WeightsError) -> WeightCollection {
    let members = try file.withBytes { bytes throws(WeightsError) in
      try ZipDirectory(bytes, path: file.path, letGo: file.letGo(of:)).members
    }
    var tensors: [Tensor] = []
    for member in members {
      let array = try file.withBytes { bytes throws(WeightsError) in
        try NpzMember(member, in: bytes, path: file.path, letGo: file.letGo(of:))
      }
      try member.verifyStored(in: file)
      tensors.append(array.tensor(in: file))
    }
    return WeightCollection(origin: origin, format: "npz", tensors: tensors, sources: [file])
  }

  /// A file name without `.npy` becomes the name of the tensor.
  private static func npyTensor(_ file: MappedFile) throws(WeightsError) -> Tensor {
    let header = try file.withBytes { bytes throws(WeightsError) in
      try NpyHeader(prefix: bytes, byteCount: bytes.byteCount, place: file.path)
    }
    file.letGo(of: 0..<file.byteCount)
    let fileName = Folder.name(of: file.path)
    return Tensor(
      name: TensorName(
        hasSuffix(fileName, ".npy")
          ? String(decoding: fileName.utf8.dropLast(4), as: UTF8.self) : fileName),
      elementType: header.elementType, shape: header.shape, elementCount: header.elementCount,
      place: file.path,
      layout: Tensor.Layout(
        isBigEndian: header.isBigEndian, isFortranOrder: header.isFortranOrder),
      storage: .mapped(file, header.bytes))
  }
}
