import Files
import StrictJSON

/// One array of an npz archive, its header and size checked.
struct NpzMember {
  /// The member's name without `.npy`.
  let name: TensorName
  let header: NpyHeader
  private let member: ZipDirectory.Member
  /// Whether the whole of it was inflated for its header, and its CRC-32 compared.
  private let isVerified: Bool

  /// Checks the start of a member against its stated size.
  ///
  /// - Parameter letGo: called with ranges of the archive that are no longer needed.
  init(
    _ member: ZipDirectory.Member, in file: RawSpan, path: String,
    letGo: (Range<Int>) -> Void = { _ in }
  ) throws(WeightsError) {
    let place = "\(path): member \(quoted(member.name))"
    guard let name = NpzMember.arrayName(member.name) else {
      throw .malformed(
        place: path,
        fault: "holds \(quoted(member.name)), which is not an npy file"
          + (member.name.utf8.suffix(4).elementsEqual(".pkl".utf8)
            ? "; this is a PyTorch checkpoint, save it as safetensors" : ""))
    }
    self.name = TensorName(name)
    self.member = member
    let prefix = try member.prefix(
      file, NpyHeader.prefixByteCount, place, letGo)
    header = unsafe try NpyHeader(
      prefix: prefix.span.bytes, byteCount: member.byteCount, place: place)
    isVerified = member.isDeflated && prefix.count == member.byteCount
    if isVerified,
      let fault = unsafe member.fault(ofChecksum: Inflate.checksum(0, prefix.span.bytes))
    {
      throw .malformed(place: place, fault: fault)
    }
  }

  /// The name of the array, if the member is one.
  private static func arrayName(_ name: String) -> String? {
    guard name.utf8.count > 4, name.utf8.suffix(4).elementsEqual(".npy".utf8) else { return nil }
    return String(decoding: name.utf8.dropLast(4), as: UTF8.self)
  }

  /// The tensor of this member.
  func tensor(in file: MappedFile) -> Tensor {
    let storage: Tensor.Storage =
      if member.isDeflated {
        .deflated(
          DeflatedBytes(file: file, member: member, bytes: header.bytes, isVerified: isVerified))
      } else {
        .mapped(
          file,
          member.bytes.lowerBound + header.bytes.lowerBound..<member.bytes.upperBound)
      }
    return Tensor(
      name: name, elementType: header.elementType, shape: header.shape,
      elementCount: header.elementCount, place: file.path,
      layout: Tensor.Layout(
        isBigEndian: header.isBigEndian, isFortranOrder: header.isFortranOrder),
      storage: storage)
  }
}

extension ZipDirectory.Member {
  /// The first bytes of the member, inflated.
  fileprivate func prefix(
    _ file: RawSpan, _ limit: Int, _ place: String, _ letGo: (Range<Int>) -> Void
  ) throws(WeightsError) -> [UInt8] {
    let data = file.extracting(bytes)
    guard isDeflated else { return data.array(in: 0..<min(limit, byteCount)) }
    var prefix: [UInt8] = []
    let fault = Inflate.pieces(
      of: data, expected: byteCount, letGo: { letGo(self.place(of: $0)) }
    ) { piece in
      prefix += piece.array(in: 0..<min(piece.byteCount, limit - prefix.count))
      return prefix.count < limit
    }
    if let fault { throw .malformed(place: place, fault: fault) }
    return prefix
  }

  /// A range of the member's data, counted from the start of the archive.
  func place(of range: Range<Int>) -> Range<Int> {
    bytes.lowerBound + range.lowerBound..<bytes.lowerBound + range.upperBound
  }

  /// Reads a stored member to its end and compares its CRC-32. One that is deflated is compared when its
  /// values are inflated: a small archive may hold far more than anyone asks for.
  func verifyStored(in file: MappedFile) throws(WeightsError) {
    guard !isDeflated else { return }
    var found: UInt32 = 0
    file.forEachPiece(in: bytes) { found = Inflate.checksum(found, $0) }
    if let fault = fault(ofChecksum: found) {
      throw .malformed(place: "\(file.path): member \(quoted(name))", fault: fault)
    }
  }

  /// What is wrong with a CRC-32 of all bytes; nil if it is the one stated.
  func fault(ofChecksum found: UInt32) -> String? {
    found == crc
      ? nil : "has CRC-32 \(String(found, radix: 16)), \(String(crc, radix: 16)) is stated"
  }
}
