import Foundation
import IngotFeatures
import Inputs
import TestSupport
import Testing

/// Tables of features hold the numbers that pandas reads in them, however they are written.
@Suite(.enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"))
struct TableReadingTests {
  private struct Table: Decodable {
    let columns: [String]
    /// Bits of 64-bit floats, in hexadecimal digits; nil where a value is missing.
    let rows: [[String?]]
  }

  /// Writes tables by hand and by pandas, and what `read_csv` makes of each.
  private static let script = #"""
    import json, struct, sys, pathlib
    import numpy, pandas
    out = pathlib.Path(sys.argv[1])
    bom = "\ufeff".encode()
    plain = "a,b,c\n1,2.5,-3e-7\n+4,.5,5.\n,1e30,6\n"
    quoted = '"a","size, in m","say ""x"""\n"1","2.5","-3e-7"\n"",  7,8  \n'
    exact = "a,b\n0.1,0.30000000000000004\n1.7976931348623157e-308,5e-324\n16777217,9007199254740993\n-0.0,123456789.123456789\n"
    texts = {
        "plain.csv": plain.encode(), "no-end.csv": plain.rstrip("\n").encode(), "bom.csv": bom + plain.encode(),
        "crlf.csv": plain.replace("\n", "\r\n").encode(), "bom-crlf.csv": bom + plain.replace("\n", "\r\n").encode(),
        "quoted.csv": quoted.encode(), "quoted-crlf.csv": quoted.replace("\n", "\r\n").encode(),
        "bom-quoted.csv": bom + quoted.encode(), "lines.csv": b'"a\nb",c\n1,2\n3,4\n',
        "exact.csv": exact.encode(), "tabs.tsv": quoted.replace(",", "\t").replace("size\t", "size,").encode(),
        "names.csv": "größe,Überlänge\n1,2\n".encode(),
    }
    for name, text in texts.items():
        (out / name).write_bytes(text)
    random = numpy.random.default_rng(7)
    frame = pandas.DataFrame(random.normal(size=(300, 4)) * 10.0 ** random.integers(-30, 30, (300, 4)), columns=list("wxyz"))
    frame = frame.mask(random.random(frame.shape) < 0.1)
    frame = frame.dropna(how="all")
    frame.to_csv(out / "pandas.csv", index=False)
    frame.to_csv(out / "pandas-quoted.csv", index=False, quoting=1, lineterminator="\r\n", encoding="utf-8-sig")
    frame.astype("float32").to_csv(out / "pandas-32.csv", index=False)
    for path in sorted(out.glob("*.?sv")):
        read = pandas.read_csv(path, sep="\t" if path.suffix == ".tsv" else ",", float_precision="round_trip")
        values = read.astype(float).to_numpy()
        rows = [[None if v != v else struct.pack(">d", v).hex() for v in row] for row in values.tolist()]
        (out / (path.name + ".json")).write_text(json.dumps({"columns": list(read.columns), "rows": rows}))
    """#

  @Test func numbersAreThoseOfPandas() throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run(
      program: "/usr/bin/env", [Oracle.python ?? "python3", "-c", Self.script, folder.path])
    let names = try folder.names().filter { $0.hasSuffix("sv") }
    #expect(names.count == 15)
    for name in names {
      let expected = try JSONDecoder().decode(
        Table.self, from: Data(contentsOf: URL(filePath: folder.path("\(name).json"))))
      let lines = try InputLines.read(folder.path(name))
      #expect(lines.features == expected.columns, "\(name)")
      let rows = lines.inputs.map { input in
        let values = Self.numbers(of: input)
        return values.map { $0.isNaN ? nil : Self.hexadecimal($0) }
      }
      #expect(!rows.isEmpty && rows == expected.rows, "\(name)")
    }
  }

  /// Numbers of a row, with or without their names; NaN where one is missing.
  private static func numbers(of input: Input) -> [Double] {
    switch input {
    case .values(let values): values
    case .named(let row):
      row.values.compactMap { value in
        switch value {
        case .number(let number): number
        case .missing: .nan
        case .truth, .text: nil
        }
      }
    case .text, .textPair, .image: []
    }
  }

  private static func hexadecimal(_ value: Double) -> String {
    let digits = String(value.bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What pandas takes for something else than a number is never taken for one.
  @Test(arguments: ["nan", "inf", "0x10", "1_000", "1,5", "1e400"])
  func whatIsNoNumberIsNone(_ word: String) throws {
    let text = "a,b\n1,\"\(word)\"\n"
    do {
      let lines = try InputLines(bytes: Array(text.utf8), origin: "t.csv")
      guard case .values(let values) = lines.inputs[0] else { return }
      Issue.record("\(values)")
    } catch {
      #expect("\(error)".hasPrefix("t.csv:2:"), "\(error)")
    }
  }
}
