import Inputs
package import StrictJSON

/// Limits in receipts and manifests: each by its key, as a decimal in a string.
extension Limits {
  /// Each limit in its shortest form, by its key; the profile is left out.
  package var texts: [String: String] {
    var texts: [String: String] = [:]
    for key in Key.allCases { texts[key.rawValue] = Figures.plain(self[key]) }
    return texts
  }

  /// Reads the form of `texts`; every limit must be there. Other members are left to the caller.
  ///
  /// - Throws: `JSONError` for a limit that is missing, not in its shortest form or out of range.
  package init(_ object: JSONObject, profile: Profile) throws(JSONError) {
    var values: [String: Double] = [:]
    for key in Key.allCases {
      values[key.rawValue] = try ReceiptReader.decimal(key.rawValue, of: object)
    }
    do {
      try self.init(profile: profile, overrides: values)
    } catch {
      throw object.error(error.description, at: object.position)
    }
  }
}
