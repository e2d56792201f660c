/**
 * Python code that runs until the kernel is interrupted, on one line. A single long sleep can miss the interrupt: Python
 * last looks for signals before it calls the system, and a busy machine may stop it in between for longer than the test
 * needs. The cell would sleep on, and so would all tests that wait for it.
 */
export const untilInterrupted = "while True: __import__('time').sleep(0.01)";
