/** Thrown by what a handler calls, when the response is 204 with the headers that were set. */
export const NO_CONTENT: Error = Object.freeze(new Error('The response has no content'))
