import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DocsUi } from '../ports/docs-ui.ts'

/** Starts Swagger UI. A separate file, because the policy of the page forbids inline scripts. */
const SCRIPT = `const { description } = document.currentScript.dataset
window.addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: description,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  })
})
`

const STYLE = `body{margin:0;font-family:system-ui,sans-serif}
.bar{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;padding:.9rem 1.25rem;border-bottom:1px solid #e5e0d8;background:#fdfcfa}
.bar strong{margin-right:auto}
.bar a{color:#1f5f4f;text-underline-offset:.2em}
.bar a:focus-visible{outline:2px solid #1f5f4f;outline-offset:3px}
#reference>p{padding:1.25rem}
.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .scheme-container{box-shadow:none;border-bottom:1px solid #e5e0d8}
@media(prefers-color-scheme:dark){:root{color-scheme:dark}body,.bar{background:#171614;color:#e8e4dc}.bar{border-color:#34302b}.bar a{color:#8fcbb7}
.swagger-ui{filter:invert(.92) hue-rotate(180deg)}.swagger-ui .highlight-code,.swagger-ui .microlight{filter:invert(1) hue-rotate(180deg)}}
`

/**
 * Renders the API reference at `/docs` with Swagger UI.
 *
 * @throws when `@fastify/swagger-ui` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/reference/http.md
 * @example
 * discovery: { docsUi: swaggerUi() }
 */
export function swaggerUi(): DocsUi {
  // The package has the files of Swagger UI without the installation script that its own package runs.
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')
  const installed = (name: string) => () => readFile(join(folder, name))
  return {
    files: {
      'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', read: installed('swagger-ui-bundle.js') },
      'swagger-ui.css': { type: 'text/css; charset=utf-8', read: installed('swagger-ui.css') },
      'reference.js': { type: 'text/javascript; charset=utf-8', read: async () => Buffer.from(SCRIPT) },
      'reference.css': { type: 'text/css; charset=utf-8', read: async () => Buffer.from(STYLE) },
    },
    styles: ['swagger-ui.css', 'reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
  }
}
