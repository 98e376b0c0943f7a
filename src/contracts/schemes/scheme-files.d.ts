/** TL-B texts; the build carries them along as they are. */
declare module '*.tlb' {
  const text: string
  export default text
}
