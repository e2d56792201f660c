/**
 * The order of requests whose responses can arrive in another one. A response is dropped if that to a later request has
 * arrived before, so what is shown never becomes older. It is used while a later request is pending, which may take long
 * or fail; `LatestRequest` is for responses that are of no use then.
 */
export class ResponseOrder {
  #sent = 0;
  #accepted = 0;

  /** True once a response was accepted. */
  get hasResponse(): boolean {
    return this.#accepted > 0;
  }

  /** Begins a request. Call the result once its response arrives: it returns false if the response must be dropped. */
  begin(): () => boolean {
    this.#sent += 1;
    const number = this.#sent;
    return () => {
      if (number < this.#accepted) {
        return false;
      }
      this.#accepted = number;
      return true;
    };
  }
}
