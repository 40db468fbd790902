import TestSupport
import Testing

@testable import Weights

@Suite struct NpyHeaderTests {
  private func header(_ bytes: [UInt8]) throws -> NpyHeader {
    try NpyHeader(prefix: bytes.span.bytes, byteCount: bytes.count, place: "m")
  }

  @Test(arguments: [
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n",
    #"{"shape":(2,),"fortran_order":False,"descr":"<f4"}"#,
    " {\t'fortran_order' : False , 'shape' : ( 2 , ) , 'descr' : '=f4' , } ",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, )}",
  ]) func spellings(_ text: String) throws {
    for version: UInt8 in 1...3 {
      let found = try header(NpyBytes.file(text, data: floatBytes([1, 2]), version: version))
      #expect(found.elementType == .f32)
      #expect(found.elementCount == 2)
      #expect(!found.isBigEndian && !found.isFortranOrder)
    }
  }

  struct TypeCase: Sendable, CustomTestStringConvertible {
    let descr: String
    let type: ElementType
    var isBigEndian = false
    var testDescription: String { descr }
  }

  static let types: [TypeCase] = [
    TypeCase(descr: "|b1", type: .bool), TypeCase(descr: "<b1", type: .bool),
    TypeCase(descr: "|i1", type: .i8), TypeCase(descr: "|u1", type: .u8),
    TypeCase(descr: "<i2", type: .i16), TypeCase(descr: ">u2", type: .u16, isBigEndian: true),
    TypeCase(descr: "<i4", type: .i32), TypeCase(descr: "<u4", type: .u32),
    TypeCase(descr: "<i8", type: .i64), TypeCase(descr: ">u8", type: .u64, isBigEndian: true),
    TypeCase(descr: "<f2", type: .f16), TypeCase(descr: ">f4", type: .f32, isBigEndian: true),
    TypeCase(descr: "=f8", type: .f64), TypeCase(descr: "<c8", type: .c64),
  ]

  @Test(arguments: types) func elementTypes(_ test: TypeCase) throws {
    let data = [UInt8](repeating: 0, count: test.type.bitWidth / 8)
    let found = try header(NpyBytes.array(test.descr, "()", data: data))
    #expect(found.elementType == test.type)
    #expect(found.isBigEndian == test.isBigEndian)
    #expect(found.shape == [])
  }

  @Test func giantButEmpty() throws {
    let found = try header(NpyBytes.array("<f4", "(0, 2147483647)", data: []))
    #expect(found.elementCount == 0)
  }
}
