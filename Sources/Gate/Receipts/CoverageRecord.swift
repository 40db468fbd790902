import Inputs
package import StrictJSON

/// How much of a text encoder the references reach, and how the rest was checked.
package struct CoverageRecord: Equatable, Sendable {
  /// Rows of a table that texts reach, of all that they could.
  package struct Share: Equatable, Sendable {
    package let reached: Int
    package let all: Int

    fileprivate var words: String { "\(reached) of \(all)" }

    fileprivate var json: JSONValue { ["reached": .integer(reached), "all": .integer(all)] }
  }

  /// Rows of the table of tokens.
  package let tokenRows: Share
  package let positions: Share
  /// Rows of all weights that were held to what compression explains; 0 where the candidate's have
  /// names of their own and could not be told apart.
  package let comparedRows: Int
  /// Inputs that were made of tokens that no reference holds, and run besides.
  package let generatedInputs: Int

  init(_ reached: ReachedRows, comparedRows: Int, generatedInputs: Int) {
    tokenRows = Share(reached: reached.tokens.count { $0 }, all: reached.tokens.count)
    positions = Share(reached: min(reached.longest, reached.positions), all: reached.positions)
    self.comparedRows = comparedRows
    self.generatedInputs = generatedInputs
  }

  /// One line for people.
  package var words: String {
    "references reach \(tokenRows.words) token rows and \(positions.words) positions; "
      + (comparedRows > 0
        ? "\(Figures.count(comparedRows, "row")) of weights compared with the baseline's"
        : "no row was compared with the baseline's")
      + (generatedInputs > 0
        ? ", \(Figures.count(generatedInputs, "generated text")) run besides" : "")
  }

  /// As receipts and answers hold it.
  package var json: JSONValue {
    [
      "tokenRows": tokenRows.json, "positions": positions.json,
      "comparedRows": .integer(comparedRows), "generatedInputs": .integer(generatedInputs),
    ]
  }
}

extension CoverageRecord {
  /// Reads the form that `json` writes, and nothing else.
  init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["tokenRows", "positions", "comparedRows", "generatedInputs"])
    tokenRows = try Share("tokenRows", of: object)
    positions = try Share("positions", of: object)
    comparedRows = try object.integer("comparedRows", in: 0...Int.max)
    generatedInputs = try object.integer("generatedInputs", in: 0...Int.max)
  }
}

extension CoverageRecord.Share {
  fileprivate init(_ key: String, of parent: JSONObject) throws(JSONError) {
    let object = try ReceiptReader.object(key, of: parent, keys: ["reached", "all"])
    all = try object.integer("all", in: 1...Int.max)
    reached = try object.integer("reached", in: 0...all)
  }
}
