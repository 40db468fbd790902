import TestSupport

/// Small models of tables, as the libraries wrote them.
enum TreeSeeds {
  /// One branch and two leaves, by skl2onnx 1.20 from a `DecisionTreeClassifier`.
  static let onnxTree =
    "CAoSCHNrbDJvbm54GgAiB2FpLm9ubngoADIAOocFCp8ECgFYEgVsYWJlbBINcHJvYmFiaWxpdGllcxoWVHJlZUVuc2VtYmxlQ2xhc3NpZmllciIWVHJlZUVuc2VtYmxlQ2xhc3NpZmllcioSCgljbGFzc19pZHNAAEAAoAEHKhYKDWNsYXNzX25vZGVpZHNAAUACoAEHKhYKDWNsYXNzX3RyZWVpZHNAAEAAoAEHKhwKDWNsYXNzX3dlaWdodHM9AAAAAD0AAIA/oAEGKiEKE2NsYXNzbGFiZWxzX3N0cmluZ3NKAm5vSgN5ZXOgAQgqHQoSbm9kZXNfZmFsc2Vub2RlaWRzQAJAAEAAoAEHKhsKEG5vZGVzX2ZlYXR1cmVpZHNAAEAAQACgAQcqIgoObm9kZXNfaGl0cmF0ZXM9AACAPz0AAIA/PQAAgD+gAQYqKgofbm9kZXNfbWlzc2luZ192YWx1ZV90cmFja3NfdHJ1ZUAAQABAAKABByooCgtub2Rlc19tb2Rlc0oKQlJBTkNIX0xFUUoETEVBRkoETEVBRqABCCoYCg1ub2Rlc19ub2RlaWRzQABAAUACoAEHKhgKDW5vZGVzX3RyZWVpZHNAAEAAQACgAQcqHAoRbm9kZXNfdHJ1ZW5vZGVpZHNAAUAAQACgAQcqIAoMbm9kZXNfdmFsdWVzPf6utjw9AAAAAD0AAAAAoAEGKhkKDnBvc3RfdHJhbnNmb3JtIgROT05FoAEDOgphaS5vbm54Lm1sEhxPTk5YKERlY2lzaW9uVHJlZUNsYXNzaWZpZXIpUgBaEQoBWBIMCgoIARIGCgAKAggCYhEKBWxhYmVsEggKBggIEgIKAGIdCg1wcm9iYWJpbGl0aWVzEgwKCggBEgYKAAoCCAJCDgoKYWkub25ueC5tbBABQgQKABAVQgQKABAV"
  /// A scaler and a linear classifier, by skl2onnx 1.20.
  static let onnxLinear =
    "CAoSCHNrbDJvbm54GgAiB2FpLm9ubngoADIAOpoDClYKAVgSCHZhcmlhYmxlGgZTY2FsZXIiBlNjYWxlcioVCgZvZmZzZXQ9Ut7/uj2bUyg+oAEGKhQKBXNjYWxlPe3+hz89rCeFP6ABBjoKYWkub25ueC5tbAroAQoIdmFyaWFibGUSBWxhYmVsEg1wcm9iYWJpbGl0aWVzGhBMaW5lYXJDbGFzc2lmaWVyIhBMaW5lYXJDbGFzc2lmaWVyKiEKE2NsYXNzbGFiZWxzX3N0cmluZ3NKAm5vSgN5ZXOgAQgqJQoMY29lZmZpY2llbnRzPSXeR8A9L9Z7vT0l3kdAPS/Wez2gAQYqGQoKaW50ZXJjZXB0cz1ZCDm9PVkIOT2gAQYqEgoLbXVsdGlfY2xhc3MYAKABAiodCg5wb3N0X3RyYW5zZm9ybSIITE9HSVNUSUOgAQM6CmFpLm9ubngubWwSDk9OTlgoUGlwZWxpbmUpUgBaEQoBWBIMCgoIARIGCgAKAggCYhEKBWxhYmVsEggKBggIEgIKAGIdCg1wcm9iYWJpbGl0aWVzEgwKCggBEgYKAAoCCAJCDgoKYWkub25ueC5tbBABQgQKABAVQgQKABAV"
  /// One branch of the operator `TreeEnsemble` of version 5, by onnx 1.22.
  static let onnxTreeOfFive =
    "CAoSBG9ubng6pwMK9QIKAXgSAXkiDFRyZWVFbnNlbWJsZSoZChJhZ2dyZWdhdGVfZnVuY3Rpb24YAaABAioXCg5sZWFmX3RhcmdldGlkc0AAQACgAQcqJAoMbGVhZl93ZWlnaHRzKhEIAhABIggAACBBAACgQUIBd6ABBCoQCgluX3RhcmdldHMYAaABAioXChBub2Rlc19mYWxzZWxlYWZzQAGgAQcqGQoSbm9kZXNfZmFsc2Vub2RlaWRzQAGgAQcqFwoQbm9kZXNfZmVhdHVyZWlkc0ABoAEHKhwKC25vZGVzX21vZGVzKgoIARACKgEAQgFtoAEEKiAKDG5vZGVzX3NwbGl0cyoNCAEQASIEAAAAP0IBc6ABBCoWCg9ub2Rlc190cnVlbGVhZnNAAaABByoYChFub2Rlc190cnVlbm9kZWlkc0AAoAEHKhUKDnBvc3RfdHJhbnNmb3JtGACgAQIqEQoKdHJlZV9yb290c0AAoAEHOgphaS5vbm54Lm1sEgFnWhQKAXgSDwoNCAESCQoDEgFOCgIIAmIUCgF5Eg8KDQgBEgkKAxIBTgoCCAFCDgoKYWkub25ueC5tbBAFQgQKABAV"
  /// A tree of two classes, by coremltools 9.0.
  static let coreMLTrees =
    "CAESUgoHCgFhGgISAAoHCgFiGgISAFILCgVsYWJlbBoCGgBSGAoQY2xhc3NQcm9iYWJpbGl0eRoEMgISAFoFbGFiZWxiEGNsYXNzUHJvYmFiaWxpdHmSGXUKZQoPUAFZAAAAAAAA4D9gAWgCCh4QARgGogEJEQAAAAAAAPA/ogELCAERAAAAAAAA8L8KHhACGAaiAQkRAAAAAAAA8L+iAQsIAREAAAAAAADwPxACGhAAAAAAAAAAAAAAAAAAAAAAEAGiBgkKAm5vCgN5ZXM="
  /// A linear regressor of two weights, by coremltools 9.0.
  static let coreMLLinear =
    "CAESHgoHCgFhGgISAAoHCgFiGgISAFIHCgF5GgISAFoBeeISHgoSChAAAAAAAADwPwAAAAAAAABAEggAAAAAAADgPw=="

  /// `model.json` of plain arrays, whose arrays are `arrays`.
  static let arrayModel = """
    {"architecture": "trees", "library": "scikit-learn 1.9.1",
     "inputs": [{"name": "age"}, {"name": "colour", "kind": "category", "categories": ["a", "b", "c"]}],
     "trees": {"starts": "starts", "children_left": "left", "children_right": "right",
               "feature": "feature", "threshold": "threshold", "value": "value",
               "missing_go_to_left": "missing", "category_set": "set", "category_sets": "sets"},
     "float32_features": false, "base": [100], "output": {"kind": "regressor", "name": "wait"}}
    """

  /// Two stumps: age up to 1.5, and the first and third of three colours.
  static let arrays: [String: (shape: [Int], values: [Double])] = [
    "starts": ([2], [0, 3]), "left": ([6], [1, -1, -1, 1, -1, -1]),
    "right": ([6], [2, -1, -1, 2, -1, -1]), "feature": ([6], [0, -2, -2, 1, -2, -2]),
    "threshold": ([6], [1.5, -2, -2, 0, 0, 0]), "value": ([6], [0, 10, 20, 0, 1, 2]),
    "missing": ([6], [1, 0, 0, 1, 0, 0]), "set": ([6], [-1, -1, -1, 0, -1, -1]),
    "sets": ([1, 3], [1, 0, 1]),
  ]
}
