/** A file that the build carries along: the import gives the path under which it can be read. */
declare module '*.zst' {
  const path: string
  export default path
}
