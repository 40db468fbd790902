/// The library that compressed weight files are read with.
package enum InflateLibrary {
  /// The version of zlib as found at run time.
  package static var version: String { Inflate.libraryVersion }
}
