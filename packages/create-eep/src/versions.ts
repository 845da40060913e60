// Written by `npm run docs` from the manifests of the packages.
/** The packages that the program of a service needs. */
export const RUNTIME: Readonly<Record<string, string>> = { fastify: '^5.0.0', pino: '^10.4.0', 'close-with-grace': '^2.5.0', nodemailer: '^10.6.0' }

/** The packages of both databases, and of the search index that a program opens. */
export const DATABASE: Readonly<Record<'@electric-sql/pglite' | 'pg' | 'tinyld', string>> = { '@electric-sql/pglite': '>=0.5.16 <0.6.0', pg: '^8.16.0', tinyld: '^1.3.4' }

/** The packages that check the types of a project. */
export const TOOLS: Readonly<Record<string, string>> = { '@types/node': '^24.19.2', typescript: '^6.0.3', '@types/pg': '^8.23.1' }
