/** A text in which the name and password of URLs are left out, for what people or logs read. */
export const withoutCredentials = (text: string): string => text.replace(/(\bhttps?:\/\/)[^/?#@\s,]*@/gi, '$1(secret)@')
