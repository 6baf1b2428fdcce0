//! What a launch from Rust costs: TileGym's softmax of 256 x 1024 f16, by its typed launcher.
//!
//! ```sh
//! cutile2rs convert .../tilegym/ops/cutile/softmax.py -o build/softmax
//! cargo build --release --manifest-path benchmarks/submit/Cargo.toml      # needs no GPU
//! cutile2rs-submit [FILE.json]                                            # needs a GPU
//! ```
//!
//! The time until the first launch has run (with `CUTILE2RS_PREBUILT` naming a folder of cubins: without a compiler), and the
//! time that a launch keeps the CPU: the best of 7 times 200 launches, three times, as `benchmarks/launching.py` takes it.
//! In turns with those, the driver's own call launches an empty kernel with the same grid and as many parameters
//! (`driver_us`): the difference of `submit_rust_us` and that is what our launch path adds.

mod empty;

use std::error::Error;
use std::time::Instant;

use cudarc::driver::{CudaContext, CudaStream, DevicePtr, DevicePtrMut};
use cutile2rs_kernels::runtime::typed::Config;
use cutile2rs_kernels::runtime::{Array, DType};
use cutile2rs_kernels::softmax::launch::SoftmaxKernel;

use crate::empty::Empty;

type Answer<T> = Result<T, Box<dyn Error>>;

const ROWS: usize = 256;
const COLUMNS: usize = 1024;
const LAUNCHES: usize = 200;
const REPEATS: usize = 7;
const TURNS: usize = 3;
const GRID: [u32; 3] = [ROWS as u32, 1, 1];
/// How many bits wide the softmax's parameters are: of each array the address, two extents, two strides. Its numbers are constants.
const WIDTHS: [u32; 10] = [64, 32, 32, 32, 32, 64, 32, 32, 32, 32];

fn main() -> Answer<()> {
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let numbers: Vec<u16> = (0..ROWS * COLUMNS).map(|i| half((i % 37) as f32 / 8.0)).collect();
    let x = stream.clone_htod(&numbers)?;
    let mut out = stream.alloc_zeros::<u16>(ROWS * COLUMNS)?;
    let (first, ours, driver) = {
        // The guards tell cudarc, once they go, that the stream reads and writes the memory: they must outlive the launches.
        let (x_address, _reads) = x.device_ptr(&stream);
        let (out_address, _writes) = out.device_ptr_mut(&stream);
        let shape = [ROWS as i64, COLUMNS as i64];
        let kernel = SoftmaxKernel {
            output: Array::row_major(out_address, &shape, DType::F16)?,
            input: Array::row_major(x_address, &shape, DType::F16)?,
            n_rows: ROWS as i64,
            tile_size: COLUMNS as i64,
            dim_cols: COLUMNS as i64,
        };
        let config = Config::new(GRID).on(context.ordinal() as i32, stream.cu_stream() as u64);
        stream.synchronize()?;
        let start = Instant::now();
        // SAFETY: both arrays are as large as said, do not overlap, and live until the copy below, on the same stream.
        unsafe { kernel.launch(&config)? };
        stream.synchronize()?;
        let first = start.elapsed().as_secs_f64() * 1e3;
        let mut empty = Empty::load(&stream, GRID, &WIDTHS)?;
        let (mut ours, mut driver) = ([0.0; TURNS], [0.0; TURNS]);
        for (ours, driver) in ours.iter_mut().zip(&mut driver) {
            // SAFETY: as above.
            *ours = submit_us(&stream, || unsafe { kernel.launch(&config) })?;
            *driver = submit_us(&stream, || empty.launch())?;
        }
        (first, ours, driver)
    };
    check(&numbers, &stream.clone_dtoh(&out)?)?;
    let json = [
        format!("{{\n \"device\": \"{}\"", context.name()?),
        format!(" \"first_rust_ms\": {first:.3}"),
        format!(" \"submit_rust_us\": {:.3}", best(ours)),
        format!(" \"driver_us\": {:.3}", best(driver)),
        format!(" \"each\": {ours:.3?}"),
        format!(" \"driver_each\": {driver:.3?}\n}}\n"),
    ]
    .join(",\n");
    print!("{json}");
    match std::env::args().nth(1) {
        Some(file) => Ok(std::fs::write(file, json)?),
        None => Ok(()),
    }
}

/// Microseconds that one launch keeps the CPU, at best.
fn submit_us<E: Error + 'static>(stream: &CudaStream, mut launch: impl FnMut() -> Result<(), E>) -> Answer<f64> {
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        stream.synchronize()?;
        let start = Instant::now();
        for _ in 0..LAUNCHES {
            launch()?;
        }
        *time = start.elapsed().as_secs_f64() * 1e6 / LAUNCHES as f64;
    }
    Ok(best(times))
}

fn best<const N: usize>(times: [f64; N]) -> f64 {
    times.into_iter().fold(f64::INFINITY, f64::min)
}

/// The results within what f16 can say.
fn check(numbers: &[u16], found: &[u16]) -> Answer<()> {
    for (row, (given, result)) in numbers.chunks(COLUMNS).zip(found.chunks(COLUMNS)).enumerate() {
        let total: f32 = given.iter().map(|bits| float(*bits).exp()).sum();
        for (column, (value, result)) in given.iter().zip(result).enumerate() {
            let (wanted, result) = (float(*value).exp() / total, float(*result));
            if (wanted - result).abs() > 2e-3 * wanted + 1e-7 {
                return Err(format!("row {row}, column {column}: {result} instead of {wanted}").into());
            }
        }
    }
    Ok(())
}

/// The bits of a number that f16 holds exactly: 0, or one that is not small.
fn half(number: f32) -> u16 {
    let bits = number.to_bits();
    if number == 0.0 { 0 } else { (((bits >> 23) - 112) << 10 | (bits >> 13) & 0x3ff) as u16 }
}

/// The number of f16 bits without a sign.
fn float(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10), f32::from(bits & 0x3ff));
    if exponent == 0 { fraction * 2f32.powi(-24) } else { (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for number in [0.0, 0.125, 1.0, 4.5] {
            assert_eq!(float(half(number)), number);
        }
        assert_eq!((half(1.0), half(4.5), float(1)), (0x3c00, 0x4480, 2f32.powi(-24)));
    }
}
