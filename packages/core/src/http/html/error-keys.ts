/** The name of an error that has a title and a sentence about it. */
type ErrorKey =
  | 'badRequest'
  | 'signIn'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'gone'
  | 'tooLarge'
  | 'failed'
  | 'unavailable'
  | 'notOffered'

const BY_STATUS: Readonly<Record<number, ErrorKey>> = {
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'gone',
  412: 'conflict',
  413: 'tooLarge',
  501: 'notOffered',
  502: 'unavailable',
  503: 'unavailable',
}

/** Returns the name of the texts for a status. */
export const errorKeyOf = (status: number): ErrorKey => BY_STATUS[status] ?? (status < 500 ? 'badRequest' : 'failed')
