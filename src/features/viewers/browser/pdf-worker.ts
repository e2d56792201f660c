// The part of pdf.js that parses files, as a script of its own for a worker.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
