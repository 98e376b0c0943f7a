/** Files that are part of the program as text (`with { type: 'text' }`). */
declare module '*.css' {
  const text: string
  export default text
}

declare module '*/script.js' {
  const text: string
  export default text
}
