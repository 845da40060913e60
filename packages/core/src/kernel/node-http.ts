/**
 * `node:http`, loaded as a CommonJS module. An ES import reads every export of it, and with `WebSocket` loads all of
 * undici: 10 MB of memory.
 */
export const nodeHttp: typeof import('node:http') = process.getBuiltinModule('node:http')
