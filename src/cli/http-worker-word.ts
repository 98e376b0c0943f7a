/** The word by which the program is started as one of its further processes for HTTP. */
export const HTTP_WORKER = 'http-worker'
