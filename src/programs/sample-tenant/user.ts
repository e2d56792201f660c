/** The one user of the sample tenant. */
export const userId = 481_516_234;

/** The segment of content-server paths that stands for that user. */
export const namespace = `acme-dev-${userId}`;
